"""The clocks over real processes: what is charged, what moves a deadline, and what it costs to burn a core unasked."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from statistics import median

import psutil
import pytest

from arena.bots.calling import Noted
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.bots.probe import offered
from arena.bots.sandbox import Level
from arena.bots.waiting import cpu_s, tree
from arena.game.variant import Variant
from arena.match.faults import FaultKind
from arena.match.limits import Limits, ProcessLimits, deadline_s, most_waiting_s
from arena.match.player import CallFailure, CallResult
from arena.match.record import MatchRecord
from arena.match.referee import Finished, Referee
from arena.match.table import Chair, Match
from arena.tournament.ports import BotEventKind
from arena.wire.codec import TableEncoder
from tests.arena_bots.conftest import alive
from tests.arena_bots.test_player import answered, question
from tests.bots.making import make_scripted
from tests.needs import needs

Make = Callable[..., ProcessPlayer]
LONG_S = 20.0


@contextmanager
def players(folder: Path, level: Level) -> Iterator[Make]:
    """Make players of the scripted bot, each with its process running."""
    with ExitStack() as stack:
        launcher = stack.enter_context(Launcher(ProcessLimits(start_ms=20_000, shutdown_ms=5_000), level))
        numbers = count()

        def player(*words: str, noted: Noted = lambda *_: None) -> ProcessPlayer:
            bot = open_folder(make_scripted(folder / str(next(numbers)), *words))
            made = ProcessPlayer(launcher.prepare(bot), launcher, lambda error: pytest.fail(str(error)), noted)
            stack.callback(made.close)
            ready = threading.Event()
            made.prepare(ready.set)
            assert ready.wait(30)
            return made

        yield player


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Players without the sandbox."""
    with players(tmp_path, "none") as make:
        yield make


@pytest.fixture(params=["open", pytest.param("kept", marks=needs("sandbox"))])
def make_anywhere(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Make]:
    """Players without the sandbox and in it, where a bot is a process below the one that was started."""
    with players(tmp_path, offered().level if request.param == "kept" else "none") as make:
        yield make


def ask(player: ProcessPlayer, deadline_s: float = LONG_S, most_s: float = 0.0) -> CallResult:
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((question(),), deadline_s, results.put, most_s=most_s)
    return results.get(timeout=60)


def pid_of(player: ProcessPlayer) -> int:
    assert player._process is not None
    return player._process.pid


@contextmanager
def crowded(player: ProcessPlayer, strangers: int) -> Iterator[None]:
    """Put a bot on a core that it shares with as many others, which never rest."""
    core = {max(os.sched_getaffinity(0))}
    for pid in tree(pid_of(player)):
        for thread in psutil.Process(pid).threads():
            os.sched_setaffinity(thread.id, core)
    others = [subprocess.Popen(["sh", "-c", "while :; do :; done"], start_new_session=True) for _ in range(strangers)]
    try:
        for other in others:
            os.sched_setaffinity(other.pid, core)
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_a_bot_that_waits_for_a_core_is_not_late(make_anywhere: Make) -> None:
    player = make_anywhere("burn:150")
    with crowded(player, 3):
        result = ask(player, deadline_s=0.25, most_s=LONG_S)
    answered(result)
    assert result.elapsed_s > 0.3
    assert result.waited_s > result.elapsed_s / 3
    assert result.charged_s < 0.4


def test_waiting_for_a_core_moves_no_deadline_beyond_its_bound(make: Make) -> None:
    player = make("burn:3000")
    with crowded(player, 3):
        result = ask(player, deadline_s=0.1, most_s=0.3)
    assert result.failure == CallFailure(FaultKind.TIMEOUT, "")
    assert 0.3 < result.elapsed_s < 3


@pytest.mark.parametrize("word", ["spin", "hang", "stop"])
def test_a_bot_that_does_not_wait_for_a_core_misses_its_deadline(make: Make, word: str) -> None:
    result = ask(make(f"{word}@1"), deadline_s=0.2, most_s=LONG_S)
    assert result.failure == CallFailure(FaultKind.TIMEOUT, "")
    assert result.charged_s >= 0.15, "what it waited for a core after its deadline was judged is taken off, too"


def test_a_standstill_of_the_arena_makes_nobody_late_and_is_not_charged(make: Make, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    player = make("slow:300", f"turns-file:{asked}")
    results: SimpleQueue[CallResult] = SimpleQueue()
    player.call((question(),), 0.5, results.put, most_s=LONG_S)
    while not asked.exists():
        os.sched_yield()
    ctypes.PyDLL(None).usleep(900_000)  # keeps the interpreter's lock, so that no thread of the arena moves
    result = results.get(timeout=30)
    answered(result)
    assert result.elapsed_s > 0.7
    assert result.charged_s < 0.6


def test_what_is_charged_is_what_the_bot_measures_itself(make: Make, tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    player = make(f"clock-file:{clock}")
    charged = [ask(player).charged_s for _ in range(50)]
    own = [float(line) for line in clock.read_text().split()]
    assert 0 < median(mine - its for mine, its in zip(charged, own, strict=True)) < 0.02


CORES = len(os.sched_getaffinity(0))


@pytest.mark.slow
@pytest.mark.parametrize("number", sorted({1, CORES, 4 * CORES}))
def test_bots_that_answer_at_once_have_no_fault_however_many_are_asked(
    make_anywhere: Make, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.connections.CALL_S", -1.0)  # as if somebody flooded: all are looked at closely
    limits = Limits(bank_ms=0)
    made = [make_anywhere() for _ in range(number)]
    returned: SimpleQueue[tuple[int, CallResult]] = SimpleQueue()

    def begin(which: int) -> None:
        most_s = most_waiting_s(1, limits)
        made[which].call(
            (question(),), deadline_s(1, limits, [0.0]), lambda result: returned.put((which, result)), most_s=most_s
        )

    for which in range(number):
        begin(which)
    results = []
    for asked in range(1_000):
        which, result = returned.get(timeout=60)
        results.append(result)
        if asked + number < 1_000:
            begin(which)
    assert [result.failure for result in results if result.failure] == []
    assert median(result.charged_s for result in results) < 0.05


def burn(player: ProcessPlayer, seconds: float) -> None:
    """Wait until the bot has used so much of a core unasked."""
    pids = tree(pid_of(player))
    enough = cpu_s(pids) + seconds
    while cpu_s(pids) < enough:
        os.sched_yield()


def test_a_bot_that_burns_a_core_between_calls_is_named_and_stopped_there(
    make_anywhere: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.idle.WINDOW_S", 0.05)
    notes: list[tuple[BotEventKind, str, str]] = []
    player = make_anywhere("ponder", noted=lambda *note: notes.append(note))
    answered(ask(player))
    burn(player, 0.1)
    assert player.stopped_for == ""
    answered(ask(player))
    assert player.stopped_for.endswith("% of a core between calls")
    (reason,) = [reason for kind, reason, _ in notes if kind is BotEventKind.PAUSED]
    assert re.fullmatch(r"used \d+ % of a core between calls, of which 5 % are allowed, .* from now on", reason)
    while {psutil.Process(pid).status() for pid in tree(pid_of(player))} != {psutil.STATUS_STOPPED}:
        os.sched_yield()  # the signals are on their way
    answered(ask(player))


def test_a_stopped_bot_still_ends_when_it_is_asked_to(make_anywhere: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bots.idle.WINDOW_S", 0.05)
    player = make_anywhere("ponder")
    answered(ask(player))
    burn(player, 0.1)
    answered(ask(player))
    assert player.stopped_for
    pids = tree(pid_of(player))
    began = time.monotonic()
    player.close()
    assert time.monotonic() - began < 4  # it was not killed after the five seconds that it has
    while any(alive(pid) for pid in pids):
        os.sched_yield()  # the kernel is still clearing a sandbox away


def test_a_bot_that_rests_between_calls_is_never_stopped(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bots.idle.WINDOW_S", 0.0)
    monkeypatch.setattr("arena.bots.idle.LOOK_EVERY_S", 0.0)
    player = make()
    for _ in range(20):
        answered(ask(player))
    assert player.stopped_for == ""


def test_a_small_reply_that_unpacks_to_a_large_one_is_a_bad_reply_and_no_more(make: Make) -> None:
    player = make("bomb@1")
    failure = ask(player).failure
    assert failure is not None
    assert failure.kind is FaultKind.BAD_REPLY
    answered(ask(player))


def test_a_missed_deadline_is_followed_by_a_new_process_at_once_that_pays_nothing_for_the_old_one(make: Make) -> None:
    player = make("hang@2")
    first = pid_of(player)
    answered(ask(player))
    assert ask(player, deadline_s=0.05).failure == CallFailure(FaultKind.TIMEOUT, "")
    ready = threading.Event()
    player.prepare(ready.set)  # asks for nothing that is not under way
    assert ready.wait(30)
    assert pid_of(player) != first
    result = ask(player)
    answered(result)
    assert result.charged_s < 0.2


def test_the_traceback_of_a_bot_is_its_authors_alone(make: Make) -> None:
    player = make("raise@3")
    for _ in range(2):
        answered(ask(player))
    failure = ask(player).failure
    assert failure is not None
    assert (failure.kind, failure.reason) == (FaultKind.REFUSED, "UNKNOWN")
    while not any("RuntimeError: a secret of the author" in line.text for line in player.output):
        os.sched_yield()  # its output is on the way; the test's own limit ends a wait in vain
    assert any("Traceback" in line.text for line in player.output)


@pytest.mark.parametrize("language", ["garbage", "http1", "settings"])
def test_a_bot_that_speaks_another_language_is_not_started_and_the_reason_is_kept(
    tmp_path: Path, language: str
) -> None:
    bot = open_folder(make_scripted(tmp_path / "bot", f"speaks:{language}"))
    with Launcher(ProcessLimits(start_ms=900)) as launcher:
        player = ProcessPlayer(launcher.prepare(bot), launcher, lambda error: pytest.fail(str(error)))
        failure = ask(player).failure
        player.close()
    assert failure is not None
    assert failure.kind is FaultKind.NOT_STARTED
    assert failure.reason.startswith("did not ")


class Hall:
    """A seating with a real process in each chair: `bots` are made by the words of the scripted bot."""

    def __init__(self, make: Make, bots: dict[bytes, Sequence[str]]) -> None:
        self._make = make
        self._bots = bots
        self.players: dict[Chair, ProcessPlayer] = {}

    def player(self, chair: Chair) -> ProcessPlayer:
        if chair not in self.players:
            self.players[chair] = self._make(*self._bots[chair.bot])
        return self.players[chair]

    def leave(self, chair: Chair) -> None:
        raise AssertionError("no chair is of a single match")


BAD, GOOD = b"b" * 32, b"g" * 32


def play(make: Make, words: Sequence[str], limits: Limits, deals: int, blocks: int = 1) -> list[MatchRecord]:
    """Matches of a bot with these words against one that plays on and on."""
    hall = Hall(make, {BAD: words, GOOD: ()})
    variant = Variant(threshold=0, deal_cap=deals)
    numbers = count(1)
    referee = Referee(hall, lambda _: TableEncoder(), limits, tables=64, calls=2, draw=lambda: next(numbers))
    chairs = (Chair(BAD, 0, 0), Chair(GOOD, 0, 0))
    matches = [
        Match(bytes([number]) * 32, 0, variant, limits, chairs, bytes([number + 1]) * 32) for number in range(blocks)
    ]
    ends = list(referee.play(matches))
    return [end.record for end in ends if isinstance(end, Finished)]


def faults(record: MatchRecord) -> list[FaultKind]:
    return [turn.fault.kind for turn in record.turns() if turn.fault]


@pytest.mark.slow
def test_answers_at_nine_tenths_of_the_limit_are_never_a_fault(make: Make) -> None:
    (record,) = play(make, ["slow:90"], Limits(turn_ms=100, bank_ms=0), deals=2)
    turns = [turn for turn in record.turns() if turn.seat == record.seats.index(BAD)]
    assert len(turns) >= 60
    assert faults(record) == []


@pytest.mark.slow
def test_answers_at_one_and_a_half_times_the_limit_without_a_bank_are_always_timeouts(make: Make) -> None:
    (record,) = play(make, ["slow:300"], Limits(turn_ms=200, bank_ms=0), deals=5)
    assert faults(record) == [FaultKind.TIMEOUT] * 3


@pytest.mark.slow
def test_the_bank_pays_for_one_hiccup(make: Make) -> None:
    (record,) = play(make, ["slow:500@3"], Limits(turn_ms=100, bank_ms=1_000), deals=3)
    assert faults(record) == []
    assert max(turn.micros for turn in record.turns()) > 450_000


@pytest.mark.slow
def test_a_bot_that_hangs_on_calls_of_many_turns_is_asked_alone_and_never_struck(make: Make, tmp_path: Path) -> None:
    hung = tmp_path / "hung"
    records = play(make, [f"hang-together:{hung}"], Limits(turn_ms=100, bank_ms=0), deals=1, blocks=3)
    assert hung.exists()
    assert len(records) == 3
    assert [kind for record in records for kind in faults(record)] == []
