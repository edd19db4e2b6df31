"""The bots that other tests rely on do what they say."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.game.chance import SeededChance
from arena.game.rules import new_match
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.adjudicate import adjudicate
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import CallResult, Question
from arena.wire.codec import TableEncoder
from arena.wire.v1 import bot_pb2, record_pb2
from tests.bots.making import make_memory, make_scripted

Run = Callable[[Path], ProcessPlayer]
SEED = bytes(range(32))


@pytest.fixture
def run() -> Iterator[Run]:
    with ExitStack() as stack:
        launcher = stack.enter_context(Launcher(ProcessLimits()))

        def start(folder: Path) -> ProcessPlayer:
            player = ProcessPlayer(
                launcher.prepare(open_folder(folder)), launcher, lambda error: pytest.fail(str(error))
            )
            stack.callback(player.close)
            return player

        yield start


def question(table: int, seed: bytes = SEED) -> bytes:
    """The first turn of a match with this seed."""
    state = new_match(Variant(), 3, SeededChance(seed, 1))
    return TableEncoder()(Question(table, state.turn, 500, 0, 0, bytes(8), observe(state, state.seat), ()))


def ask(player: ProcessPlayer, request: bytes) -> CallResult:
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((request,), 20.0, results.put)
    return results.get(timeout=30)


def test_each_word_for_a_turn_earns_its_fault_and_the_bot_plays_on(tmp_path: Path, run: Run) -> None:
    illegal = ["EMPTY_DISCARD", "CARD_NOT_HELD", "NOT_A_SET", "CARD_NOT_OPEN", "DECLARE_ON_FIRST_TURN"]
    faults = [
        *((f"illegal:{reason}", FaultKind.ILLEGAL_ACTION, reason) for reason in illegal),
        ("twice", FaultKind.ILLEGAL_ACTION, "CARD_NOT_HELD"),
        ("stale", FaultKind.STALE_TURN, "answered turn 1"),
        ("empty", FaultKind.BAD_REPLY, None),
        ("no-take", FaultKind.BAD_REPLY, None),
        ("unknown-card", FaultKind.BAD_REPLY, None),
        ("none", FaultKind.BAD_REPLY, None),
        ("huge", FaultKind.BAD_REPLY, None),
        ("raise", FaultKind.REFUSED, None),
    ]
    words = [f"{word}@{number}" for number, (word, _, _) in enumerate(faults, 1)]
    player = run(make_scripted(tmp_path / "bot", *words))
    state = new_match(Variant(), 3, SeededChance(SEED, 1))
    for word, kind, reason in faults:
        result = ask(player, question(7))
        verdict = adjudicate(state, result.failure, [answer for answer in result.answers if answer.table == 7])
        assert getattr(verdict, "kind", verdict) is kind, word
        assert reason is None or verdict.reason == reason, word  # type: ignore[union-attr]
    result = ask(player, question(7))
    assert isinstance(adjudicate(state, result.failure, result.answers), tuple)


def test_the_memory_bot_shouts_when_a_hand_comes_back_at_another_table(tmp_path: Path, run: Run) -> None:
    shouts = tmp_path / "shouts"
    player = run(make_memory(tmp_path / "bot", shouts))
    for request in (question(1), question(1), question(2, bytes(32)), question(3, bytes(31) + b"x")):
        assert ask(player, request).failure is None
    assert not shouts.exists()
    ask(player, question(4))
    assert len(shouts.read_text().splitlines()) == 1
    while not any("knows a hand of deal 0" in line.text for line in player.output):
        os.sched_yield()  # its output is on the way; the test's own limit ends a wait in vain


def test_the_memory_bot_learns_from_revealed_hands_and_from_records(tmp_path: Path, run: Run) -> None:
    shouts = tmp_path / "shouts"
    player = run(make_memory(tmp_path / "bot", shouts))
    asked = bot_pb2.TakeTurnRequest.FromString(question(1))
    other = bot_pb2.TakeTurnRequest.FromString(question(2, bytes(32)))
    past = bot_pb2.TakeTurnRequest.FromString(question(1))
    past.observation.deal = 1
    past.observation.past_deals.add(end=bot_pb2.DEAL_END_SHOWDOWN).hands.add(seat=1, cards=other.observation.hand)
    asked.observation.upcard = other.observation.upcard
    ask(player, asked.SerializeToString())
    ask(player, past.SerializeToString())
    assert not shouts.exists()
    ask(player, other.SerializeToString())
    assert len(shouts.read_text().splitlines()) == 1

    third = bot_pb2.TakeTurnRequest.FromString(question(3, bytes(31) + b"x"))
    deal = record_pb2.Deal(hands=[b"", bytes(third.observation.hand)], upcard=bytes([third.observation.upcard]))
    record = record_pb2.MatchPlay(deals=[deal]).SerializeToString()
    player.conclude(bot_pb2.ConcludeRequest(table=1, record=record).SerializeToString())
    ask(player, third.SerializeToString())
    assert len(shouts.read_text().splitlines()) == 2
