"""A player over a real process: what each misbehaviour is called, and that it plays on afterwards."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

import pytest

from arena.bots.calling import CallingPlayer, close_players
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.game.actions import Play
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import CallFailure, CallResult
from arena.tournament.ports import BotEventKind
from arena.wire.v1 import bot_pb2 as pb
from tests.arena_bots.conftest import LISTENER, alive, resources
from tests.bots.making import make_bot, make_scripted

Make = Callable[..., ProcessPlayer]
LONG_S = 20.0


class Errors(list[Exception]):
    """What the arena itself did wrong."""


@pytest.fixture
def errors() -> Errors:
    return Errors()


class Notes(list[tuple[BotEventKind, str, str]]):
    """What was told beside the results of calls: the kind, the reason, what was printed."""


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def make(tmp_path: Path, errors: Errors, notes: Notes) -> Iterator[Make]:
    """Make players of the scripted bot, or of a command."""
    with ExitStack() as stack:
        launcher = stack.enter_context(Launcher(ProcessLimits(conclude_ms=300)))

        def player(*words: str, command: list[str] | None = None) -> ProcessPlayer:
            folder = tmp_path / str(len(list(tmp_path.iterdir())))
            bot = make_bot(folder, command) if command else make_scripted(folder, *words)
            prepared = launcher.prepare(open_folder(bot))
            made = ProcessPlayer(prepared, launcher, errors.append, lambda *note: notes.append(note))
            stack.callback(made.close)
            return made

        yield player
        assert errors == []


def question(table: int = 1, turn: int = 3) -> bytes:
    """A turn in which the queen of spades is the greatest card."""
    observation = pb.Observation(
        variant=pb.Variant(
            hand_size=3, decks=1, upcard=True, crossing=pb.CROSSING_BEYOND, finish=pb.FINISH_LAST_STANDING, lap_cap=60
        ),
        seats=[pb.Seat(cards=3), pb.Seat(cards=3)],
        hand=[pb.ACE_OF_CLUBS, pb.TWO_OF_CLUBS, pb.QUEEN_OF_SPADES],
        open=[pb.FIVE_OF_HEARTS],
        may_take_closed=True,
    )
    return pb.TakeTurnRequest(table=table, turn=turn, turn_limit_ms=500, observation=observation).SerializeToString()


def ask(player: CallingPlayer, *requests: bytes, deadline_s: float = LONG_S) -> CallResult:
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call(requests or (question(),), deadline_s, results.put)
    return results.get(timeout=30)


def answered(result: CallResult) -> list[tuple[int, int]]:
    assert result.failure is None
    assert all(answer.action == Play(bytes((50,)), None) for answer in result.answers)
    return [(answer.table, answer.turn) for answer in result.answers]


def test_turns_are_answered_alone_and_together(make: Make) -> None:
    player = make()
    assert player.max_batch == 1
    assert answered(ask(player)) == [(1, 3)]
    assert player.max_batch == 64
    assert answered(ask(player, question(5, 0), question(9, 7))) == [(5, 0), (9, 7)]
    assert player.description is not None
    assert player.description.name == "scripted"


def test_a_start_is_not_charged(make: Make) -> None:
    result = ask(make(), deadline_s=LONG_S)
    assert 0 < result.elapsed_s < 0.1


def test_a_prepared_bot_runs_before_it_is_asked(make: Make) -> None:
    player = make("max-batch:7")
    ready = threading.Event()
    player.prepare(ready.set)
    assert ready.wait(10)
    assert player.max_batch == 7


def test_a_bot_without_batches_is_asked_one_by_one(make: Make) -> None:
    player = make("no-batch")
    assert answered(ask(player, question(1), question(2))) == [(1, 3), (2, 3)]
    assert player.max_batch == 1


def test_a_bot_gets_its_legal_discards_when_it_wants_them(make: Make) -> None:
    assert len(answered(ask(make("wants-legal"), question(1), question(2)))) == 2


@pytest.mark.parametrize("word", ["hang@2", "stop@2"])
def test_a_missed_deadline_is_a_timeout_and_the_next_call_meets_a_new_process(
    make: Make, tmp_path: Path, word: str
) -> None:
    pids = tmp_path / "pids"
    player = make(word, f"turns-file:{pids}")
    answered(ask(player))
    assert ask(player, deadline_s=0.2).failure == CallFailure(FaultKind.TIMEOUT, "")
    answered(ask(player))
    first, second, third = map(int, pids.read_text().split())
    assert first == second != third
    assert not alive(first)


def test_a_late_answer_is_never_taken_for_the_next_turn(make: Make) -> None:
    player = make("slow:300@1")
    assert ask(player, question(1, 1), deadline_s=0.1).failure is not None
    assert answered(ask(player, question(1, 2))) == [(1, 2)] or player.description is None


@pytest.mark.parametrize(("word", "how"), [("exit:7@2", "exited with status 7"), ("kill@2", "was killed by SIGKILL")])
def test_a_death_in_a_call_is_a_crash_noticed_at_once_and_it_plays_on(make: Make, word: str, how: str) -> None:
    player = make(word)
    answered(ask(player))
    began = time.monotonic()
    assert ask(player).failure == CallFailure(FaultKind.CRASHED, how)
    assert time.monotonic() - began < 1
    answered(ask(player))


def test_a_death_between_calls_is_no_fault_but_its_author_learns_of_it(
    make: Make, notes: Notes, tmp_path: Path
) -> None:
    player = make(f"turns-file:{tmp_path / 'pids'}", "stderr:100")
    answered(ask(player))
    pid = int((tmp_path / "pids").read_text())
    end = os.pidfd_open(pid)
    os.kill(pid, 9)
    assert select.select([end], [], [], 5)[0]
    os.close(end)
    answered(ask(player))
    kinds = [BotEventKind.STARTED, BotEventKind.ENDED, BotEventKind.STARTED]
    assert [kind for kind, _, _ in notes] == kinds
    assert notes[1][1] == "was killed by SIGKILL between two calls"
    assert "noise" in notes[1][2]


@pytest.mark.parametrize(
    ("word", "kind", "reason"),
    [
        ("raise@1", FaultKind.REFUSED, "UNKNOWN"),
        ("refuse:5000@1", FaultKind.REFUSED, "FAILED_PRECONDITION"),
        ("huge@1", FaultKind.BAD_REPLY, "UNREADABLE"),
        ("metadata@1", FaultKind.BAD_REPLY, "UNREADABLE"),
    ],
)
def test_a_reply_that_is_none_has_its_name_and_the_process_lives_on(
    make: Make, tmp_path: Path, word: str, kind: FaultKind, reason: str
) -> None:
    pids = tmp_path / "pids"
    player = make(word, f"turns-file:{pids}")
    failure = ask(player).failure
    assert failure is not None
    assert (failure.kind, failure.reason) == (kind, reason)
    assert 0 < len(failure.detail) <= 200
    answered(ask(player))
    assert len(set(pids.read_text().split())) == 1


@pytest.mark.parametrize(
    ("words", "reason", "own_words"),
    [
        (["exit-at-import:3"], "exited with status 3 before it listened", ": this bot gives up"),
        (["protocol:2"], "speaks protocol 2, but this arena speaks 1", ""),
    ],
)
def test_a_bot_that_cannot_start_says_why_at_each_call_and_its_author_learns_more(
    make: Make, notes: Notes, words: list[str], reason: str, own_words: str
) -> None:
    player = make(*words)
    player.prepare()
    for _ in range(2):
        failure = ask(player).failure
        assert failure is not None
        assert failure[:2] == (FaultKind.NOT_STARTED, reason)
        assert own_words[2:] in failure.output
    assert {note[:2] for note in notes} == {(BotEventKind.NOT_STARTED, reason + own_words)}
    assert len(notes) == 2


def test_every_start_is_noted(make: Make, notes: Notes) -> None:
    player = make("kill@1", "banner:100")
    assert ask(player).failure is not None
    player.close()
    assert [note[:2] for note in notes] == [(BotEventKind.STARTED, "")] * len(notes)
    assert 1 <= len(notes) <= 2, "the second one may have been broken off"
    assert "noise" in notes[0][2]


@pytest.mark.parametrize("word", ["raise@1", "kill@1", "huge@1"])
def test_a_failed_call_comes_with_what_was_printed_until_then(make: Make, word: str) -> None:
    failure = ask(make("stderr:3000", word)).failure
    assert failure is not None
    assert failure.output.count("noise") == 30
    assert "call 1, turns: 1] " in failure.output


@pytest.mark.parametrize("words", [["no-describe"], ["listens-only"]])
def test_a_bot_that_listens_but_never_answers_is_not_started(tmp_path: Path, words: list[str], errors: Errors) -> None:
    bot = open_folder(make_scripted(tmp_path / "bot", *words))
    with Launcher(ProcessLimits(start_ms=1_500)) as launcher:
        player = ProcessPlayer(launcher.prepare(bot), launcher, errors.append)
        failure = ask(player).failure
        player.close()
    assert failure is not None
    assert failure.kind is FaultKind.NOT_STARTED
    assert failure.reason.startswith("did not answer Describe: DEADLINE")
    assert errors == []


def test_what_a_bot_prints_bears_the_call_and_outlives_the_process(make: Make) -> None:
    player = make("banner:100", "stderr:100", "slow:100", "kill@2")
    for _ in range(3):
        ask(player)
    lines = player.output
    assert all("noise" in line.text for line in lines)
    calls = ["call 1, turns: 1", "call 2, turns: 1", "call 3, turns: 1"]
    assert [line.during for line in lines] == ["", *calls[:2], "", calls[2]]


def test_a_flood_of_output_costs_no_timeout(make: Make) -> None:
    player = make("banner:10000000", "stderr:100000")
    for _ in range(20):
        answered(ask(player, deadline_s=0.5))


def test_outcomes_are_told_to_those_who_want_them_and_start_nobody(make: Make, tmp_path: Path) -> None:
    told = tmp_path / "told"
    message = pb.ConcludeRequest(table=42).SerializeToString()
    player = make(f"wants-conclude:{told}")
    player.conclude(message)
    answered(ask(player))
    assert not told.exists()
    player.conclude(message)
    answered(ask(player))
    assert told.read_text() == "42\n"


def test_a_bot_slow_to_take_an_outcome_is_not_charged_for_it_in_its_next_turn(make: Make) -> None:
    player = make("slow-conclude:60000")
    answered(ask(player))
    player.conclude(pb.ConcludeRequest(table=42).SerializeToString())
    result = ask(player)
    answered(result)
    assert result.elapsed_s < 0.1


def test_closing_waits_neither_for_a_call_nor_for_a_start(make: Make) -> None:
    results: SimpleQueue[CallResult] = SimpleQueue()
    hanging, starting, silent = make("hang"), make(command=["sleep", "60"]), make("no-describe")
    players = [hanging, starting, silent]
    for player in players:
        player.call((question(),), 60.0, results.put)
    while not any(line.during for line in hanging.output) and hanging.max_batch != 64:
        pass
    began = time.monotonic()
    close_players(players)
    assert time.monotonic() - began < 2
    failures = [results.get(timeout=1).failure for _ in players]
    assert sorted(failure.kind.value for failure in failures if failure) == [
        "CRASHED",
        "NOT_STARTED",
        "NOT_STARTED",
    ]


def test_an_error_of_the_arena_is_reported_as_its_own(
    make: Make, errors: Errors, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    player = make(command=LISTENER)
    monkeypatch.setattr("arena.bots.launcher.shutil.copytree", full)
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((question(),), LONG_S, results.put)
    player.close()
    assert results.empty()
    assert [str(error) for error in errors] == ["[Errno 28] No space left on device"]
    errors.clear()


def test_failed_starts_leak_nothing(make: Make) -> None:
    player = make(command=["sh", "-c", "exit 3"])
    ask(player)
    before = resources()
    for _ in range(20):
        ask(player)
    assert resources() == before


@pytest.mark.slow
def test_crashes_and_timeouts_leak_nothing(make: Make) -> None:
    crashing, hanging = make("kill"), make("hang")

    def fail() -> None:
        assert ask(crashing).failure == CallFailure(FaultKind.CRASHED, "was killed by SIGKILL")
        assert ask(hanging, deadline_s=0.05).failure == CallFailure(FaultKind.TIMEOUT, "")

    def settled() -> tuple[int, int, int]:
        replaced = threading.Semaphore(0)
        for player in (crashing, hanging):
            player.prepare(replaced.release)
        assert replaced.acquire(timeout=10)
        assert replaced.acquire(timeout=10)
        return resources()

    fail()
    before = settled()
    for _ in range(30):
        fail()
    assert all(now <= then for now, then in zip(settled(), before, strict=True))
