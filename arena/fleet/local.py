"""The engine of one machine: as many slots as workers, each with a supervising thread.

A slot that dies or falls silent is blamed for what it was playing and nothing else; its successor starts with the next
job. As soon as a slot has tables left it is given a further job, so that its batches stay full while the last matches
of the job before go on; but a job of one block, which is there to show who is to blame, is always played alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue

from arena.fleet.child import END_S, FrameChild
from arena.fleet.engine import BlockJob, Job, Outcome, OutcomeKind, Progress, SlotSetup
from arena.fleet.frames import job_head, read_report, setup_head


def _slot(setup: SlotSetup) -> FrameChild:
    """A slot as its supervisor sees it."""
    return FrameChild("the worker process", "arena.fleet.slot", setup_head(setup))


class _Worker:
    """A supervising thread with its slot, which plays a job and, as soon as it has tables left, another beside it."""

    def __init__(self, name: str, setup: SlotSetup, report: Callable[[Outcome | Progress], None]) -> None:
        self.name = name
        self.free = True
        self._heard = 0.0
        self._timeout_s = 0.0
        self._setup = setup
        self._report = report
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._pending: dict[bytes, BlockJob] = {}  # what the slot plays
        self._alone = False
        self._slot: FrameChild | None = None
        self._killed_for: OutcomeKind | None = None
        self._closing = False
        self._lock = threading.Lock()  # a job that has just ended is not given up
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Job, timeout_s: float) -> None:
        """Start a job; the worker must be free. A single block waits until it can be played alone."""
        with self._lock:
            self.free = False
            self._timeout_s = timeout_s
            if self._pending and self._slot is not None and len(job.blocks) > 1:
                self._hand_over(self._slot, job)
            else:
                self._heard = time.monotonic()
                self._jobs.put(job)

    def holds(self, block_id: bytes) -> bool:
        """Whether the slot plays this block."""
        return block_id in self._pending

    def stop(self, kind: OutcomeKind) -> None:
        """Give up what the slot plays: unfinished blocks come back as `kind`."""
        with self._lock:
            if self._pending and self._slot is not None:
                self._killed_for = kind
                self._slot.kill()

    def silent(self) -> bool:
        """Whether the slot has given no sign of life for too long."""
        waited_s = time.monotonic() - self._heard
        return bool(self._pending) and self._killed_for is None and waited_s > self._timeout_s

    def begin_close(self) -> None:
        """Ask the slot to end, also in the middle of a job."""
        self._closing = True
        self._jobs.put(None)
        if self._slot is not None:
            self._slot.begin_end()

    def close(self) -> None:
        """Wait until the slot has ended; the supervising thread sees to that."""
        self._thread.join(END_S)
        if self._thread.is_alive() and self._slot is not None:
            self._slot.kill()
            self._thread.join(END_S)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None and not self._closing:
            self._alone = len(job.blocks) == 1
            try:
                slot = self._slot = self._slot or _slot(self._setup)
            except OSError as error:
                self._give_up(job.blocks, OutcomeKind.ERROR, f"no worker could be started: {error}")
            else:
                with self._lock:
                    self._hand_over(slot, job)
                self._supervise(slot)
            self._open_up()
        if self._slot is not None:
            self._slot.end()

    def _hand_over(self, slot: FrameChild, job: Job) -> None:
        self._pending.update((block.block_id, block) for block in job.blocks)
        slot.send(job_head(job))

    def _open_up(self) -> None:
        """There is room for another job, unless one waits."""
        with self._lock:
            self.free = self._jobs.empty() and not (self._pending and self._alone)
        self._report(Progress(0))

    def _supervise(self, slot: FrameChild) -> None:
        """Pass on what the slot reports until it has nothing left to play, or is gone."""
        while self._pending and (frame := slot.read()) is not None:
            self._heard = time.monotonic()
            report = read_report(frame, self.name, alone=self._alone)
            if report is None:
                self._open_up()
                continue
            if isinstance(report, Outcome):
                with self._lock:
                    self._pending.pop(report.block_id, None)
            self._report(report)
        with self._lock:
            lost, self._pending = self._pending, {}
            killed_for, self._killed_for = self._killed_for, None
            if not lost and killed_for is None:
                return
            self._slot = None
        if lost:
            self._give_up(lost.values(), killed_for or OutcomeKind.DIED, slot.last_words())
        slot.end()

    def _give_up(self, blocks: Iterable[BlockJob], kind: OutcomeKind, reason: str) -> None:
        for block in blocks:
            self._report(Outcome(block.block_id, block.attempt, kind, self.name, self._alone, reason=reason))


class LocalEngine:
    """Implements `Engine` with a slot for each of `setups`."""

    def __init__(self, setups: list[SlotSetup]) -> None:
        self._reports: SimpleQueue[Outcome | Progress] = SimpleQueue()
        self._workers = [_Worker(f"local-{number}", setup, self._reports.put) for number, setup in enumerate(setups)]

    def capacity(self) -> int:
        """How many workers are free, or have tables left."""
        return sum(worker.free for worker in self._workers)

    def submit(self, job: Job, timeout_s: float) -> None:
        """Start a job on a free worker."""
        next(worker for worker in self._workers if worker.free).submit(job, timeout_s)

    def next(self, timeout_s: float) -> Outcome | Progress | None:
        """The next report; None when nothing came in time. Ends slots that have fallen silent."""
        for worker in self._workers:
            if worker.silent():
                worker.stop(OutcomeKind.TIMEOUT)
        try:
            return self._reports.get(timeout=timeout_s)
        except Empty:
            return None

    def cancel(self, block_id: bytes) -> None:
        """Stop the slot that plays this block."""
        for worker in self._workers:
            if worker.holds(block_id):
                worker.stop(OutcomeKind.CANCELLED)

    def close(self) -> None:
        """End all slots side by side, also in the middle of a job."""
        for worker in self._workers:
            worker.begin_close()
        for worker in self._workers:
            worker.close()
