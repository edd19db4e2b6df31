"""The engine of one machine: as many slots as workers, each with a supervising thread.

A slot that dies or falls silent is blamed for what it was playing and nothing else; its successor starts with the next
job.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import IO, BinaryIO, cast

from arena.fleet.engine import BlockJob, Job, Outcome, OutcomeKind, Progress, SlotSetup
from arena.fleet.frames import Frame, job_head, read_frame, read_report, setup_head, write_frame

END_S = 4.0
"""A slot has this long to end its bots after its input ended."""


class _SlotProcess:
    """A slot as its supervisor sees it."""

    def __init__(self, setup: SlotSetup) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arena.fleet.slot"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
            env={**os.environ, "GRPC_VERBOSITY": "NONE"},
        )
        self._input = cast(BinaryIO, self._process.stdin)
        self._output = cast(BinaryIO, self._process.stdout)
        self.send(setup_head(setup))

    def send(self, head: dict[str, object]) -> None:
        """Hand over a frame; that a slot is gone shows when it is read from."""
        with contextlib.suppress(OSError):
            write_frame(self._input, head)

    def read(self) -> Frame | None:
        """The next frame; None at its end."""
        return read_frame(self._output)

    def kill(self) -> None:
        """End it at once; its bots are ended by their guard."""
        self._process.kill()

    def last_words(self) -> str:
        """The last line that the slot wrote to its standard error, or how it ended."""
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read()[-2000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"the worker process ended with status {self._process.returncode}"

    def begin_end(self) -> None:
        """Let its input end."""
        with contextlib.suppress(OSError):
            self._input.close()

    def end(self) -> None:
        """Let its input end, and wait for it."""
        self.begin_end()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()
        self._errors.close()


class _Worker:
    """A supervising thread with its slot."""

    def __init__(self, name: str, setup: SlotSetup, report: Callable[[Outcome | Progress], None]) -> None:
        self.name = name
        self.job: Job | None = None
        self.heard = 0.0
        self.timeout_s = 0.0
        self._setup = setup
        self._report = report
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._slot: _SlotProcess | None = None
        self._killed_for: OutcomeKind | None = None
        self._lock = threading.Lock()  # a job that has just ended is not given up
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Job, timeout_s: float) -> None:
        """Start a job; the worker must be free."""
        self.job, self.timeout_s, self.heard = job, timeout_s, time.monotonic()
        self._jobs.put(job)

    def stop(self, kind: OutcomeKind) -> None:
        """Give up the running job: its unfinished blocks come back as `kind`."""
        with self._lock:
            if self.job is not None and self._slot is not None:
                self._killed_for = kind
                self._slot.kill()

    def silent(self) -> bool:
        """Whether the running job has given no sign of life for too long."""
        return self.job is not None and self._killed_for is None and time.monotonic() - self.heard > self.timeout_s

    def begin_close(self) -> None:
        """Ask the slot to end, also in the middle of a job."""
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
        while (job := self._jobs.get()) is not None:
            try:
                slot = self._slot = self._slot or _SlotProcess(self._setup)
            except OSError as error:
                self._give_up(job, job.blocks, OutcomeKind.ERROR, f"no worker could be started: {error}")
            else:
                slot.send(job_head(job))
                alive = self._supervise(job, slot)
                with self._lock:
                    if not alive or self._killed_for:
                        slot.end()
                        self._slot = None
                    self._killed_for = None
            self.job = None
            self._report(Progress(0))  # there is room again
        if self._slot is not None:
            self._slot.end()

    def _supervise(self, job: Job, slot: _SlotProcess) -> bool:
        """Pass on what the slot reports; False when it is gone."""
        alone = len(job.blocks) == 1
        pending = {block.block_id: block for block in job.blocks}
        alive = True
        while True:
            frame = slot.read()
            self.heard = time.monotonic()
            if frame is None:
                alive = False
                break
            report = read_report(frame, self.name, alone=alone)
            if report is None:
                break
            if isinstance(report, Outcome):
                pending.pop(report.block_id, None)
            self._report(report)
        kind, reason = OutcomeKind.ERROR, "the worker did not report this block"
        if not alive and pending:
            kind, reason = self._killed_for or OutcomeKind.DIED, slot.last_words()
        self._give_up(job, pending.values(), kind, reason)
        return alive

    def _give_up(self, job: Job, blocks: Iterable[BlockJob], kind: OutcomeKind, reason: str) -> None:
        alone = len(job.blocks) == 1
        for block in blocks:
            self._report(Outcome(block.block_id, block.attempt, kind, self.name, alone, reason=reason))


class LocalEngine:
    """Implements `Engine` with a slot for each of `setups`."""

    def __init__(self, setups: list[SlotSetup]) -> None:
        self._reports: SimpleQueue[Outcome | Progress] = SimpleQueue()
        self._workers = [_Worker(f"local-{number}", setup, self._reports.put) for number, setup in enumerate(setups)]

    def capacity(self) -> int:
        """How many workers are free."""
        return sum(worker.job is None for worker in self._workers)

    def submit(self, job: Job, timeout_s: float) -> None:
        """Start a job on a free worker."""
        next(worker for worker in self._workers if worker.job is None).submit(job, timeout_s)

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
        """Stop the job that holds this block."""
        for worker in self._workers:
            job = worker.job
            if job is not None and any(block.block_id == block_id for block in job.blocks):
                worker.stop(OutcomeKind.CANCELLED)

    def close(self) -> None:
        """End all slots side by side, also in the middle of a job."""
        for worker in self._workers:
            worker.begin_close()
        for worker in self._workers:
            worker.close()
