"""The kits for other languages are made of the contract as it is: every field of a question arrives under its name."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from arena.bots.sandbox import search_path
from arena.wire.client import BotClient
from arena.wire.v1 import bot_pb2 as pb
from tests.needs import needs
from tests.sample_bots.loading import SAMPLE_BOTS

Show = Callable[[pb.TakeTurnRequest], Any]

JAVASCRIPT = """
import { play, serve } from "./arena.js";
const spell = (_, value) => (typeof value === "bigint" ? Number(value) : value?.type === "Buffer" ? value.data : value);
serve((seen, turn) => {
  console.log(JSON.stringify(turn, spell));
  return play(seen.hand, seen.open[0]);
}, { name: "shown", version: "7", authors: ["Ada"] });
"""
GO = """
package main

import (
	"bot/arena"
	"encoding/json"
	"os"
)

func main() {
	arena.Serve(func(turn *arena.Turn) arena.Action {
		json.NewEncoder(os.Stdout).Encode(turn)
		return arena.Play{Discard: turn.Hand, Take: turn.Open[0]}
	}, arena.About{Name: "shown", Version: "7"})
}
"""


def fill(message: Message, number: int = 2) -> int:
    """Give every field a value of its own, lists two of them, and of each choice the first; returns the next value."""
    for field in message.DESCRIPTOR.fields:
        if field.containing_oneof and field.containing_oneof.fields[0] is not field:
            continue
        for _ in range(2 if field.is_repeated else 1):
            number = put(message, field, number)
    return number


def put(message: Message, field: Any, number: int) -> int:
    values = getattr(message, field.name)
    if field.message_type:
        return fill(values.add() if field.is_repeated else values, number)
    value: Any = number % 50 + 1
    if field.enum_type and field.enum_type.name != "Card":
        value = 1 + number % (len(field.enum_type.values) - 1)
    elif field.type == FieldDescriptor.TYPE_BOOL:
        value = True
    elif field.type == FieldDescriptor.TYPE_STRING:
        value = f"text {number}"
    elif field.type == FieldDescriptor.TYPE_BYTES:
        value = bytes([number])
    elif field.type == FieldDescriptor.TYPE_UINT32:
        value = number * 1_000_003 % 2**32
    elif field.type == FieldDescriptor.TYPE_FIXED64:
        value = 2**52 + number
    if field.is_repeated:
        values.append(value)
    else:
        setattr(message, field.name, value)
    return number + 1


def in_javascript(message: Message) -> Any:
    """The message as an object of JavaScript: what is not set of a choice is undefined, and JSON leaves it out."""
    return {
        field.json_name: spelled(message, field, in_javascript, list)
        for field in message.DESCRIPTOR.fields
        if not field.has_presence or message.HasField(field.name)
    }


def in_go(message: Message) -> Any:
    """The message as Go shows it: cards are bytes, and the observation is a part of the turn."""
    found = {
        field.json_name[0].upper() + field.json_name[1:]: spelled(message, field, in_go, spell_bytes)
        if not field.has_presence or message.HasField(field.name)
        else None
        for field in message.DESCRIPTOR.fields
    }
    return found | (found.pop("Observation", None) or {})


def spell_bytes(value: Any) -> str:
    return base64.b64encode(bytes(value)).decode()


def spelled(message: Message, field: Any, part: Callable[[Message], Any], cards: Callable[..., Any]) -> Any:
    value = getattr(message, field.name)
    if field.message_type:
        return [part(one) for one in value] if field.is_repeated else part(value)
    if field.type == FieldDescriptor.TYPE_BYTES or (field.enum_type and field.is_repeated):
        return cards(value)
    return list(value) if field.is_repeated else value


def shown(folder: Path, command: list[str], request: pb.TakeTurnRequest) -> Any:
    """What the bot in the folder printed when it was asked this."""
    target = f"unix:{folder}/s"
    environment = {**os.environ, "ARENA_BOT_ADDRESS": target}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        client = BotClient(target)
        try:
            told = client.describe(30)
            assert (told.name, told.version, told.wants_legal_discards) == ("shown", "7", True)
            assert told.max_batch > 1
            (answer,) = client.take_turn(request.SerializeToString(), 5)
            assert (answer.table, answer.turn) == (request.table, request.turn)
            assert process.stdout is not None
            return json.loads(process.stdout.readline())
        finally:
            client.close()
            process.kill()


@pytest.fixture
def full() -> pb.TakeTurnRequest:
    request = pb.TakeTurnRequest()
    assert fill(request) > 70
    return request


@needs("node")
def test_a_bot_in_javascript_gets_every_field(tmp_path: Path, full: pb.TakeTurnRequest) -> None:
    for name in ("arena.js", "package.json"):
        shutil.copy(SAMPLE_BOTS / "tally" / name, tmp_path)
    (tmp_path / "main.js").write_text(JAVASCRIPT)
    assert shown(tmp_path, ["node", "main.js"], full) == in_javascript(full)


@pytest.mark.slow
@pytest.mark.timeout(300)
@needs("go")
def test_a_bot_in_go_gets_every_field(tmp_path: Path, full: pb.TakeTurnRequest) -> None:
    shutil.copytree(SAMPLE_BOTS / "gopher" / "arena", tmp_path / "arena")
    shutil.copy(SAMPLE_BOTS / "gopher" / "go.mod", tmp_path)
    (tmp_path / "main.go").write_text(GO)
    environment = {**os.environ, "PATH": search_path()}
    subprocess.run(["go", "build", "-o", "main", "."], cwd=tmp_path, check=True, env=environment)
    assert shown(tmp_path, ["./main"], full) == in_go(full)


@needs("node")
def test_a_kit_names_the_address_that_it_misses(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ARENA_BOT_ADDRESS"}
    command = ["node", "main.js"]
    where = SAMPLE_BOTS / "tally"
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ARENA_BOT_ADDRESS" in done.stderr
