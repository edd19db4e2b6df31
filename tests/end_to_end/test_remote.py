"""Tournaments with bots at an address: played, stopped, resumed, exported and verified like all others."""

from __future__ import annotations

import json
import signal
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme

from tests.bots.serving import Gate, ServedBot, bot_process, free_port
from tests.end_to_end.arena import Arena
from tests.fleet.running import SAMPLES

TOKEN = "a-token-that-nobody-may-see"
SHORT = ["--deal-cap", "2", "--sandbox", "off"]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def guarded(folder: Path, **more: Any) -> ServedBot:
    """A bot that wants TLS, a certificate of the arena, and a token; what opens it is in `remotes.toml`."""
    authority = trustme.CA()
    own, arena = authority.issue_cert("127.0.0.1"), authority.issue_cert("arena.example.org")
    authority.cert_pem.write_to_path(folder / "ca.pem")
    arena.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    arena.private_key_pem.write_to_path(folder / "key.pem")
    (folder / "token").write_text(TOKEN)
    pair = (own.private_key_pem.bytes(), own.cert_chain_pems[0].bytes())
    tls = grpc.ssl_server_credentials([pair], authority.cert_pem.bytes(), True)
    bot = ServedBot(tls, token=TOKEN, **more)
    files = {"ca": "ca.pem", "cert": "cert.pem", "key": "key.pem", "token": "token"}
    lines = [f'["{bot.address}"]', *(f'{key} = "{name}"' for key, name in files.items())]
    (folder / "remotes.toml").write_text("\n".join(lines))
    return bot


def matches(arena: Arena) -> list[dict[str, Any]]:
    """The export of the latest tournament, once it is verified."""
    (latest, *_) = arena.json("tournament", "list")
    text = arena.ok("export", latest["id"], "--out", "-")
    (arena.folder / "export.jsonl").write_text(text)
    arena.ok("verify", "export.jsonl")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.slow
def test_bots_at_addresses_play_under_their_names_and_no_secret_is_stored(tmp_path: Path, stack: ExitStack) -> None:
    bot, port = guarded(tmp_path), free_port()
    stack.callback(bot.stop)
    stack.enter_context(bot_process(SAMPLES / "greedy" / "main.py", port))
    plain = f"grpc://127.0.0.1:{port}"
    arena = Arena(tmp_path)
    words = [plain, bot.address, "greedy", "--deals", "2", *SHORT]
    ranking = arena.ok("tournament", "run", *words, "--remotes", "remotes.toml")
    rows = {row["bot"]: row for row in arena.json("rankings")}
    assert set(rows) == {"greedy", plain, "served"}  # two say that they are greedy 1.0
    assert [(row["matches"], row["faults"]) for row in rows.values()] == [(6, 0)] * 3
    for said in (ranking, arena.ok("tournament", "show")):
        assert "no duplicate deals" in " ".join(said.split()).lower()

    seeds = defaultdict(set)
    for match in matches(arena):
        seeds[match["block_id"]].add(match["seed"])
        assert {seat["bot"]: seat["remote"] for seat in match["seats"]} == {
            "greedy": False,
            plain: True,
            "served": True,
        }
    assert [len(different) for different in seeds.values()] == [3, 3]
    for file in (*tmp_path.glob("arena.db*"), tmp_path / "export.jsonl"):
        content = file.read_bytes()
        assert TOKEN.encode() not in content
        assert b"PRIVATE KEY" not in content


@pytest.mark.slow
def test_a_bot_that_goes_in_the_middle_and_comes_back_plays_to_the_end(tmp_path: Path, stack: ExitStack) -> None:
    gate = Gate(7)
    bot = ServedBot(before=gate)
    stack.callback(bot.stop)
    arena = Arena(tmp_path)
    running = arena.start("tournament", "run", bot.address, "greedy", "--seats", "2", "--deals", "3", *SHORT)
    assert gate.reached.wait(60)
    bot.stop()
    gate.opened.set()
    bot.start()
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    played = matches(arena)
    faults = [
        turn["fault"]["kind"] for match in played for deal in match["deals"] for turn in deal["turns"] if turn["fault"]
    ]
    assert len(played) == 6
    assert set(faults) == {"CRASHED"}


@pytest.mark.slow
def test_a_stopped_tournament_goes_on_with_new_cards_where_a_remote_bot_sits(tmp_path: Path, stack: ExitStack) -> None:
    gate = Gate(9)
    bot = guarded(tmp_path, before=gate)
    stack.callback(bot.stop)
    arena = Arena(tmp_path, environment={"ARENA_REMOTES": "remotes.toml"})
    words = [bot.address, "greedy", "--seats", "2", "--deals", "3", "--workers", "1", *SHORT]
    running = arena.start("tournament", "run", *words, "--turn-limit-ms", "60000")
    assert gate.reached.wait(60)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    gate.opened.set()
    arena.ok("tournament", "resume")
    played = matches(arena)
    assert len(played) == 6
    assert max(match["attempt"] for match in played) == 2
