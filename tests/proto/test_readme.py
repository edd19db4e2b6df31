"""The page for bot authors is true: it names everything, its examples parse, and its bot plays."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import text_format

from arena.bots.conformance import read_question
from arena.bots.credentials import KEYS, read_table
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.new_folder import TEMPLATES
from arena.bots.probe import offered
from arena.bots.sandbox import PROGRAMS
from arena.game.actions import Play
from arena.game.cards import parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.discards import check_discard
from arena.game.errors import IllegalReason
from arena.game.rules import decide, evolve, new_match
from arena.game.variant import Variant
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.wire.client import BotClient
from arena.wire.codec import TableEncoder, decode_turn, encode_turns, read_turns
from arena.wire.v1 import bot_pb2 as pb
from tests.bots.making import make_bot
from tests.needs import needs
from tests.wire.walking import ask

PROTO = Path(__file__).parents[2] / "proto"
TEXT = (PROTO / "README.md").read_text()
WORDS = set(re.findall(r"\w+", TEXT))


def block(language: str, start: str = "") -> str:
    """The one code block in this language that begins so."""
    (found,) = re.findall(rf"```{language}\n({re.escape(start)}.*?)```", TEXT, re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BotClient]:
    """The bot of the page, built and started as the page says."""
    folder = tmp_path_factory.mktemp("bot")
    shutil.copytree(PROTO, folder / "proto")
    subprocess.run([sys.executable, *shlex.split(block("sh", "python"))[1:]], cwd=folder, check=True)
    (folder / "main.py").write_text(block("python"))
    target = f"unix:{folder}/bot"
    process = subprocess.Popen([sys.executable, "main.py"], cwd=folder, env={**os.environ, "ARENA_BOT_ADDRESS": target})
    client = BotClient(target)
    yield client
    client.close()
    process.kill()
    process.wait()


def test_every_method_message_and_field_that_a_bot_meets_is_explained() -> None:
    service = pb.DESCRIPTOR.services_by_name["BotService"]
    assert {method.name for method in service.methods} <= WORDS
    missing = [
        f"{message.name}.{field.name}"
        for message in pb.DESCRIPTOR.message_types_by_name.values()
        for field in message.fields
        if field.name not in WORDS
    ]
    assert missing == []


def test_every_fault_and_every_reason_is_explained() -> None:
    assert {kind.name for kind in FaultKind} <= WORDS
    assert {reason.name for reason in IllegalReason} <= WORDS


def test_the_file_of_remotes_names_every_key(tmp_path: Path) -> None:
    (tmp_path / "remotes.toml").write_text(block("toml"))
    (table,) = read_table(tmp_path / "remotes.toml").values()
    assert tuple(table) == KEYS


def test_the_turn_of_the_example_is_a_legal_one() -> None:
    request = text_format.Parse(block("textproto", "# TakeTurnRequest"), pb.TakeTurnRequest())
    reply = text_format.Parse(block("textproto", "# TakeTurnResponse"), pb.TakeTurnResponse())
    (answer,) = decode_turn(reply.SerializeToString())
    assert (answer.table, answer.turn) == (request.table, request.turn)
    assert isinstance(answer.action, Play)
    hand = bytes(card - 1 for card in request.observation.hand)
    assert hand == bytes(sorted(hand))
    check_discard(hand, answer.action.discard, Variant())
    assert answer.action == Play(parse_cards("Td Jh Qc"), parse_card("2c"))
    assert answer.action.take is not None
    assert request.observation.open == [answer.action.take + 1]


def test_the_turn_in_json_is_the_same_and_can_be_asked() -> None:
    (request,) = read_turns(block("json", '{\n  "table"'))
    assert pb.TakeTurnRequest.FromString(request) == text_format.Parse(
        block("textproto", "# TakeTurnRequest"), pb.TakeTurnRequest()
    )
    assert read_question(request).turn == 3


@pytest.mark.parametrize(("language", "path"), [("javascript", "choose.js"), ("go", "main.go")])
def test_the_bots_in_other_languages_are_those_that_new_folders_have(language: str, path: str) -> None:
    assert block(language) == (TEMPLATES / language / path).read_text()


@needs("sandbox")
def test_what_a_bot_in_python_may_import_is_there_in_the_sandbox(tmp_path: Path) -> None:
    (sentence,) = re.findall(r"A bot may import (.*?);", TEXT, re.DOTALL)
    modules = re.findall(r"`(.*?)`", sentence)
    assert "arena.sdk" in modules
    bot = make_bot(tmp_path / "fox", ["true"], build=["python", "-c", f"import {', '.join(modules)}"])
    with Launcher(ProcessLimits(), offered().level) as launcher:
        launcher.prepare(open_folder(bot))


def test_where_programs_are_looked_for_is_said() -> None:
    assert f"looked for in {', '.join(f'`{place}`' for place in PROGRAMS[:-1])} and `{PROGRAMS[-1]}`" in TEXT


def test_the_bot_of_the_page_plays_a_whole_match(bot: BotClient) -> None:
    assert bot.describe(30).name == "plain"
    state = new_match(Variant(threshold=0, deal_cap=2), 2, SeededChance(bytes(range(32)), 1))
    encode = TableEncoder()
    while state.outcome is None:
        request = encode(ask(state))
        (single,), (many,) = bot.take_turn(request, 30), bot.take_turns(encode_turns([request]), 30)
        assert single == many
        assert single.action is not None
        evolve(state, decide(state, single.action))
    assert state.outcome.places
