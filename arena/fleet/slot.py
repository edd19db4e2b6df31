"""A slot: the process that plays jobs with real bots (`python -m arena.fleet.slot`).

It reads its setup and its jobs as frames from standard input and reports on standard output; at the end of its input
it ends with all its bots, whatever it is doing, so that a killed coordinator leaves nothing behind. A block is
reported when all its matches are complete, and nothing of it before. As soon as a job leaves tables free, the matches
of the next one are played beside its last ones, so that batches stay full.
"""

from __future__ import annotations

import gc
import os
import secrets
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from queue import SimpleQueue
from typing import BinaryIO

from arena.bots.calling import CallingPlayer
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.manifest import load_manifest
from arena.bots.remote import Access
from arena.fleet.child import Parent
from arena.fleet.engine import BlockJob, Job, SlotSetup
from arena.fleet.frames import ROOM, Frame, error_frame, progress_frame, read_job, read_setup, result_frame
from arena.fleet.frames import write_frame as write
from arena.fleet.journal import Journal
from arena.fleet.lobby import Lobby, new_player
from arena.fleet.results import match_result
from arena.match.referee import Abandoned, Finished, Referee
from arena.match.table import Chair, Match
from arena.tournament.ports import BlockResult, MatchResult
from arena.wire.codec import TableEncoder, conclude_request

PROGRESS_S = 0.2
"""Signs of life are at least this far apart."""

YOUNG_OBJECTS = 50_000
"""Records grow and hold no cycles; with Python's usual 700 a twentieth of the time goes into looking for some."""


class _BlockRun:
    """A block that is being played."""

    def __init__(self, job: BlockJob) -> None:
        self.job = job
        self.finished: dict[int, tuple[Finished, MatchResult]] = {}

    def complete(self) -> bool:
        return len(self.finished) == len(self.job.rotations)

    def result(self) -> BlockResult:
        matches = tuple(self.finished[rotation][1] for rotation in range(len(self.job.rotations)))
        return BlockResult(self.job.block_id, self.job.attempt, matches)


class Slot:
    """Plays jobs; `reports` is the stream to the supervisor.

    `following` gives the next job, None when there is none yet; it is asked only while tables are free.
    """

    def __init__(self, setup: SlotSetup, reports: BinaryIO, following: Callable[[], Job | None] = lambda: None) -> None:
        self._setup = setup
        self._reports = reports
        self._following = following
        self._runs: dict[bytes, _BlockRun] = {}
        self._met: set[bytes] = set()  # blocks that processes of the lobby may have met
        self._ended = 0  # matches since the last sign of life
        self._signed_at = 0.0
        self._launcher = Launcher(setup.process_limits, setup.sandbox, abreast=setup.calls)
        self._bots = {
            digest: source if isinstance(source, Access) else PreparedBot(load_manifest(source), digest, source)
            for digest, source in setup.bots.items()
        }
        self._journal = Journal(self._last_output)
        self._open()

    def _open(self) -> None:
        setup = self._setup
        self._lobby = Lobby(self._make_player, setup.warm)
        self._referee = Referee(
            self._lobby,
            lambda _: TableEncoder(),
            setup.limits,
            tables=setup.tables,
            calls=setup.calls,
            draw=lambda: secrets.randbits(64),
            tick=self._tick,
            noted=self._journal.failure,
        )

    def _make_player(self, chair: Chair) -> CallingPlayer:
        noted = partial(self._journal.note, chair.bot)
        return new_player(self._bots[chair.bot], self._launcher, self._referee.fail, noted)

    def _last_output(self, chair: Chair) -> str:
        player = self._lobby.find(chair)
        return player.last_output() if player is not None else ""

    def play(self, job: Job) -> Job | None:
        """Play a job and all that follow while it is played, and report each block once.

        Returns the job, if any, that cannot be played beside these.
        """
        self._held: Job | None = None
        try:
            for end in self._referee.play(self._matches(job)):
                self._take_in(end)
        except Exception as error:  # a failure of the arena: it voids what is not complete, and nobody is charged
            self._drop(f"{type(error).__name__}: {error}")
        self._journal.forget()
        return self._held

    def _matches(self, job: Job) -> Iterator[Match | None]:
        """The matches of a job and of those that follow; None when there is none at the moment."""
        following: Job | None = job
        while following is not None:
            if not self._begin(following):
                self._held = following
                return
            yield from self._matches_of(following)
            self._report(ROOM)
            while (following := self._following()) is None:
                yield None

    def _begin(self, job: Job) -> bool:
        """Make ready for a job; False when it has to wait until all else is over."""
        blocks = {block.block_id: _BlockRun(block) for block in job.blocks}
        again = not self._met.isdisjoint(blocks)
        if again and self._runs:
            return False
        self._runs |= blocks
        if again:  # they must meet only new processes
            self._lobby.renew()
            self._met.clear()
        self._met.update(blocks)
        self._lobby.trim({chair for run in self._runs.values() for chair in self._all_chairs(run.job)})
        return True

    def _take_in(self, end: Finished | Abandoned) -> None:
        run = self._runs.get(end.match.block_id)
        if run is None:  # given up for another of its matches
            return
        if isinstance(end, Abandoned):
            self._give_up(run, end.reason, end.bot)
            return
        run.finished[end.match.rotation] = end, match_result(end.record)
        self._ended += 1
        if run.complete():
            self._complete(run)

    def _drop(self, reason: str) -> None:
        """Give up all that is not complete, and begin anew."""
        for run in list(self._runs.values()):
            self._give_up(run, reason, None)
        self._lobby.renew()
        self._open()

    def _tick(self) -> None:
        """A sign of life now and then."""
        if time.monotonic() - self._signed_at > PROGRESS_S:
            self._sign()

    def _sign(self) -> None:
        self._report(progress_frame(self._ended))
        self._ended, self._signed_at = 0, time.monotonic()

    def _matches_of(self, job: Job) -> Iterator[Match]:
        """The matches of a job, rotation after rotation, so that the processes of few chairs have full batches."""
        setup = self._setup
        for rotation in range(max(len(block.rotations) for block in job.blocks)):
            for block in job.blocks:
                if rotation < len(block.rotations):
                    chairs, seed = self._chairs(block, rotation), block.rotations[rotation].seed
                    yield Match(block.block_id, rotation, setup.variant, setup.limits, chairs, seed)

    def _all_chairs(self, block: BlockJob) -> Iterator[Chair]:
        return chain.from_iterable(self._chairs(block, rotation) for rotation in range(len(block.rotations)))

    def _chairs(self, block: BlockJob, rotation: int) -> tuple[Chair, ...]:
        seats = block.rotations[rotation].seats
        single = block.block_id + rotation.to_bytes(2, "big")
        return tuple(
            Chair(bot, seats[:seat].count(bot), rotation, single if self._is_fresh(bot) else b"")
            for seat, bot in enumerate(seats)
        )

    def _is_fresh(self, digest: bytes) -> bool:
        """Whether the bot wants a new process for each match."""
        bot = self._bots[digest]
        return isinstance(bot, PreparedBot) and bot.manifest.fresh

    def _give_up(self, run: _BlockRun, reason: str, bot: bytes | None) -> None:
        del self._runs[run.job.block_id]
        self._report(error_frame(run.job, reason, bot, self._journal.take(run.job.block_id)))

    def _complete(self, run: _BlockRun) -> None:
        del self._runs[run.job.block_id]
        self._sign()
        self._report(result_frame(run.result(), self._journal.take(run.job.block_id)))
        for finished, _ in run.finished.values():
            self._conclude(finished)

    def _conclude(self, finished: Finished) -> None:
        for seat, chair in enumerate(finished.match.chairs):
            player = self._lobby.find(chair)
            if player is not None and player.wants_conclude:  # few do, and it takes a whole record
                player.conclude(conclude_request(finished.numbers[seat], seat, finished.record))

    def _report(self, frame: Frame) -> None:
        write(self._reports, frame.head, frame.blob)

    def close(self) -> None:
        """End all bots."""
        self._lobby.renew()
        self._launcher.close()


def main() -> None:
    """Play until the input ends."""
    gc.set_threshold(YOUNG_OBJECTS)
    parent = Parent()
    setup = read_setup(parent.first)
    if setup.core is not None:
        os.sched_setaffinity(0, {setup.core})
    jobs: SimpleQueue[Job] = SimpleQueue()
    slot = Slot(setup, parent.reports, lambda: None if jobs.empty() else jobs.get())
    parent.follow(heard=lambda head: jobs.put(read_job(head)), close=slot.close)
    held: Job | None = None
    while True:
        held = slot.play(held or jobs.get())


if __name__ == "__main__":
    main()
