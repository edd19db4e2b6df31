"""A child process from both ends: how it is started, heard and ended, and how it learns that nobody wants it any more.

The pipe between them is the leash: whichever way the parent ends, the input of the child ends, and so does the child.
(A death signal would come too early: when the thread ends that started the child.)
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Thread, Timer
from typing import IO, BinaryIO, cast

from arena.fleet.frames import Frame, Head, read_frame, write_frame

END_S = 4.0
"""So long a child has to end what it started by itself."""


class Child:
    """A program that was started, with its streams; `called` is for messages."""

    def __init__(self, called: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._called = called
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed with the process
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
            env={**os.environ, **environment},
        )
        self.input = cast(BinaryIO, self._process.stdin)
        self.output = cast(BinaryIO, self._process.stdout)

    def kill(self) -> None:
        """End it at once, from any thread; `end` is still needed. Its bots are ended by their guard."""
        self._process.kill()

    def interrupt(self) -> None:
        """Let it end as by Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def begin_end(self) -> None:
        """Let its input end."""
        with suppress(OSError):
            self.input.close()

    def end(self, patience_s: float = END_S) -> None:
        """Let its input end, and wait until it has ended in whatever it is doing."""
        self.begin_end()
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.output.close()
        self._errors.close()

    def last_words(self) -> str:
        """The last line that it wrote to its standard error, or how it ended."""
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read()[-2000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"{self._called} ended with status {self._process.returncode}"


class FrameChild(Child):
    """A module of the arena in a process of its own, to which frames go and from which frames come: see `Parent`."""

    def __init__(self, called: str, module: str, first: Head) -> None:
        super().__init__(called, [sys.executable, "-P", "-m", module], {"GRPC_VERBOSITY": "NONE"})
        self.send(first)

    def send(self, head: Head) -> None:
        """Hand over a frame; that it is gone shows when it is read from."""
        with suppress(OSError):
            write_frame(self.input, head)

    def read(self) -> Frame | None:
        """The next frame; None at its end."""
        return read_frame(self.output)


class Parent:
    """Whoever started this process as a `FrameChild`, as seen from here; there is one at most."""

    def __init__(self) -> None:
        self._commands = os.fdopen(os.dup(0), "rb")
        self.reports: BinaryIO = os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)  # whatever a library prints must not get between the frames
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the parent decides when to stop
        first = read_frame(self._commands)
        if first is None:
            raise SystemExit(1)
        self.first = first.head

    def follow(self, heard: Callable[[Head], None], close: Callable[[], None]) -> None:
        """Hand over from now on what is heard, in a thread of its own; when nobody speaks any more, `close` what is
        open and end the process, in the middle of whatever it does."""
        Thread(target=self._follow, args=(heard, close), daemon=True).start()

    def _follow(self, heard: Callable[[Head], None], close: Callable[[], None]) -> None:
        while (frame := read_frame(self._commands)) is not None:
            heard(frame.head)
        too_late = Timer(END_S, os._exit, (1,))  # a parent that was killed does not kill what hangs here
        too_late.daemon = True
        too_late.start()
        try:
            close()
        finally:
            sys.stderr.flush()
            os._exit(0)
