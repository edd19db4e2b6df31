"""A slot: the process that plays jobs with real bots (`python -m arena.fleet.slot`).

It reads its setup and its jobs as frames from standard input and reports on standard output; at the end of its input
it ends with all its bots, whatever it is doing, so that a killed coordinator leaves nothing behind. A block is
reported when all its matches are complete, and nothing of it before.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
import time
from functools import partial
from queue import SimpleQueue
from typing import BinaryIO

from arena.bots.calling import CallingPlayer
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.manifest import load_manifest
from arena.bots.player import ProcessPlayer
from arena.bots.remote import Access
from arena.bots.remote_player import RemotePlayer
from arena.fleet.engine import BlockJob, Job, SlotSetup
from arena.fleet.frames import DONE, Frame, error_frame, progress_frame, read_frame, read_job, read_setup, result_frame
from arena.fleet.frames import write_frame as write
from arena.fleet.journal import Journal
from arena.fleet.lobby import Lobby
from arena.fleet.results import match_result
from arena.match.referee import Abandoned, Finished, Referee
from arena.match.table import Chair, Match
from arena.tournament.ports import BlockResult, MatchResult
from arena.wire.codec import TableEncoder, conclude_request

PROGRESS_S = 0.2
"""Signs of life are at least this far apart."""


class _BlockRun:
    """A block of the running job."""

    def __init__(self, job: BlockJob) -> None:
        self.job = job
        self.finished: dict[int, tuple[Finished, MatchResult]] = {}
        self.reported = False

    def complete(self) -> bool:
        return len(self.finished) == len(self.job.rotations)

    def result(self) -> BlockResult:
        matches = tuple(self.finished[rotation][1] for rotation in range(len(self.job.rotations)))
        return BlockResult(self.job.block_id, self.job.attempt, matches)


class Slot:
    """Plays one job after another; `reports` is the stream to the supervisor."""

    def __init__(self, setup: SlotSetup, reports: BinaryIO) -> None:
        self._setup = setup
        self._reports = reports
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
        bot, failed, noted = self._bots[chair.bot], self._referee.fail, partial(self._journal.note, chair.bot)
        launcher = self._launcher
        if isinstance(bot, Access):
            return RemotePlayer(bot, launcher.limits, launcher.deadlines, launcher.keepers.watchdog, failed, noted)
        return ProcessPlayer(bot, launcher, failed, noted)

    def _last_output(self, chair: Chair) -> str:
        player = self._lobby.find(chair)
        return player.last_output() if player is not None else ""

    def play(self, job: Job) -> None:
        """Play a job and report each of its blocks once."""
        blocks = {block.block_id for block in job.blocks}
        if not self._met.isdisjoint(blocks):  # played again: it must meet only new processes
            self._lobby.renew()
            self._met.clear()
        self._met |= blocks
        runs = {block.block_id: _BlockRun(block) for block in job.blocks}
        try:
            self._play(job, runs)
        except Exception as error:  # a failure of the arena: it voids what is not complete, and nobody is charged
            reason = f"{type(error).__name__}: {error}"
            for run in runs.values():
                if not run.reported:
                    self._report(error_frame(run.job, reason, None, self._journal.take(run.job.block_id)))
            self._lobby.renew()
            self._open()
        self._journal.forget()
        self._lobby.trim()
        self._report(progress_frame(self._ended))
        self._ended = 0
        self._report(DONE)

    def _play(self, job: Job, runs: dict[bytes, _BlockRun]) -> None:
        for end in self._referee.play(self._matches(job)):
            run = runs[end.match.block_id]
            if isinstance(end, Abandoned):
                self._abandon(run, end)
            else:
                run.finished[end.match.rotation] = end, match_result(end.record)
                self._ended += 1
            if run.complete():
                self._complete(run)

    def _tick(self) -> None:
        """A sign of life now and then."""
        now = time.monotonic()
        if now - self._signed_at > PROGRESS_S:
            self._report(progress_frame(self._ended))
            self._ended, self._signed_at = 0, now

    def _matches(self, job: Job) -> list[Match]:
        """The matches of a job, rotation after rotation, so that the processes of few chairs have full batches."""
        setup = self._setup
        return [
            Match(
                block.block_id,
                rotation,
                setup.variant,
                setup.limits,
                self._chairs(block, rotation),
                block.rotations[rotation].seed,
            )
            for rotation in range(max(len(block.rotations) for block in job.blocks))
            for block in job.blocks
            if rotation < len(block.rotations)
        ]

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

    def _abandon(self, run: _BlockRun, end: Abandoned) -> None:
        if not run.reported:
            run.reported = True
            self._report(error_frame(run.job, end.reason, end.bot, self._journal.take(run.job.block_id)))

    def _complete(self, run: _BlockRun) -> None:
        run.reported = True
        self._report(result_frame(run.result(), self._journal.take(run.job.block_id)))
        for finished, _ in run.finished.values():
            self._conclude(finished)
        run.finished.clear()

    def _conclude(self, finished: Finished) -> None:
        for seat, chair in enumerate(finished.match.chairs):
            player = self._lobby.find(chair)
            if player is not None:
                player.conclude(conclude_request(finished.numbers[seat], seat, finished.record))

    def _report(self, frame: Frame) -> None:
        write(self._reports, frame.head, frame.blob)

    def close(self) -> None:
        """End all bots."""
        self._lobby.renew()
        self._launcher.close()


def main() -> None:
    """Play until the input ends."""
    commands = os.fdopen(os.dup(0), "rb")
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # whatever a library prints must not get between the frames
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the coordinator decides when to stop
    first = read_frame(commands)
    if first is None:
        return
    setup = read_setup(first.head)
    if setup.core is not None:
        os.sched_setaffinity(0, {setup.core})
    slot = Slot(setup, reports)
    jobs: SimpleQueue[Job] = SimpleQueue()
    threading.Thread(target=_listen, args=(commands, jobs, slot), daemon=True).start()
    while True:
        slot.play(jobs.get())


def _listen(commands: BinaryIO, jobs: SimpleQueue[Job], slot: Slot) -> None:
    """Hand over jobs; at the end of the input end the process at once, in the middle of whatever it plays."""
    while (frame := read_frame(commands)) is not None:
        jobs.put(read_job(frame.head))
    try:
        slot.close()
    finally:
        sys.stderr.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
