"""What a bot prints: kept in a bounded ring for its author, drained always, so that no bot ever blocks on a full pipe.

One thread drains the pipes of all processes. It splits no lines and copies little, so a flood costs little; a pipe that
floods beyond `RATE` is left alone for a moment, which slows its own bot and nobody else.
"""

from __future__ import annotations

import os
import selectors
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

KEPT_HEAD = 8 * 1024
KEPT_TAIL = 64 * 1024
MOST_CHUNKS = 1024
CHUNK = 64 * 1024
MOST_READS_AT_END = 16
BURST = 32 * 1024 * 1024
KEPT_OF_MOMENT = 8 * 1024
CATCH_UP_S = 0.2
RATE = 4 * 1024 * 1024
"""Bytes a second that are read of one pipe for long; `BURST` bytes may come at once before that counts."""

MOST_AT_ONCE = 48 * 1024 * 1024
"""Bytes in one call, or between two; a process that writes more has lost its way and is ended."""

FLOODS_FOR_S = 1.0
"""A process floods for so long after it was last left waiting."""


class Line(NamedTuple):
    """A line of output: seconds since the process was started, the call that was in flight ("" for none), the text."""

    at_s: float
    during: str
    text: str


class _Chunk(NamedTuple):
    at: float
    during: str
    data: bytearray


class OutputRing:
    """The first 8 KiB and the last 64 KiB of what one process wrote, with a count of what was dropped between.

    `during` is set by whoever has a call in flight; lines that arrive meanwhile bear it. `ended` is set when nothing
    more will come. `catch_up` waits a moment until what the process has written so far is here.
    """

    def __init__(self) -> None:
        self._during = ""
        self._at_once = 0
        self.ended = threading.Event()
        self.catch_up: Callable[[], None] = lambda: None
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._head: list[_Chunk] = []
        self._head_bytes = 0
        self._tail: deque[_Chunk] = deque()
        self._tail_bytes = 0
        self._dropped = 0
        self._flooded_at = -FLOODS_FOR_S

    @property
    def during(self) -> str:
        """The call that is in flight, "" for none."""
        return self._during

    @during.setter
    def during(self, call: str) -> None:
        self._during = call
        self._at_once = 0

    @property
    def at_once(self) -> int:
        """Bytes that were read since a call began or ended."""
        return self._at_once

    @property
    def written(self) -> int:
        """Bytes that were read in all."""
        return self._head_bytes + self._tail_bytes + self._dropped

    @property
    def dropped(self) -> int:
        """Bytes that were read and not kept."""
        return self._dropped

    def flooding(self) -> bool:
        """Whether the process writes so much that it was left waiting just now."""
        return time.monotonic() - self._flooded_at < FLOODS_FOR_S

    def flooded(self) -> None:
        """Note that the process is left waiting now, since it writes too much."""
        self._flooded_at = time.monotonic()

    def feed(self, data: bytes) -> None:
        """Take what was read from the process."""
        self._at_once += len(data)
        with self._lock:
            if (room := KEPT_HEAD - self._head_bytes) and len(self._head) < MOST_CHUNKS and not self._tail:
                self._append(self._head, data[:room])
                self._head_bytes += len(data[:room])
                data = data[room:]
            if data:
                self._append(self._tail, data)
                self._tail_bytes += len(data)
            while self._tail_bytes > KEPT_TAIL or len(self._tail) > MOST_CHUNKS:
                self._drop(self._tail_bytes - KEPT_TAIL)

    def lines(self) -> list[Line]:
        """The lines that were kept, oldest first; a line stands where it began, bad UTF-8 is replaced."""
        with self._lock:
            parts = [list(self._head), list(self._tail)]
            dropped = self._dropped
        if not dropped:
            parts = [parts[0] + parts[1]]
        lines = [self._split(part) for part in parts]
        if dropped and lines[1]:
            first = lines[1][0]
            lines.insert(1, [Line(first.at_s, "", f"[{dropped} bytes of output were dropped here]")])
        return [line for part in lines for line in part]

    def last_words(self) -> str:
        """': ' and the last line that is not blank, made printable, to end a message with; "" without any."""
        return next((f": {text}" for line in reversed(self.lines()) if (text := printable(line.text).strip())), "")

    def last(self, most: int = KEPT_OF_MOMENT) -> str:
        """The last lines until now, as long as they have at most `most` characters, each with its time and call."""
        self.catch_up()
        kept: list[str] = []
        for line in reversed(self.lines()):
            stamp = f"[{line.at_s:.3f} s{f', {line.during}' if line.during else ''}] "
            text = line.text if kept or len(stamp + line.text) <= most else f"…{line.text[len(stamp) + 1 - most :]}"
            most -= len(stamp + text) + 1
            if most < -1:
                break
            kept.append(stamp + text)
        return "\n".join(reversed(kept))

    def _append(self, chunks: list[_Chunk] | deque[_Chunk], data: bytes) -> None:
        now = time.monotonic() - self._started
        last = chunks[-1] if chunks else None
        if last and last.during == self.during and len(last.data) < 4096 and now - last.at < 0.1:
            last.data.extend(data)
        else:
            chunks.append(_Chunk(now, self.during, bytearray(data)))

    def _drop(self, excess: int) -> None:
        first = self._tail[0]
        if 0 < excess < len(first.data):
            del first.data[:excess]
            gone = excess
        else:
            self._tail.popleft()
            gone = len(first.data)
        self._tail_bytes -= gone
        self._dropped += gone

    @staticmethod
    def _split(chunks: list[_Chunk]) -> list[Line]:
        lines: list[Line] = []
        rest = b""
        at, during = 0.0, ""
        for chunk in chunks:
            if not rest:
                at, during = chunk.at, chunk.during
            *whole, rest = (rest + chunk.data).split(b"\n")
            for text in whole:
                lines.append(Line(at, during, text.decode(errors="replace").rstrip("\r")))
                at, during = chunk.at, chunk.during
        if rest:
            lines.append(Line(at, during, rest.decode(errors="replace")))
        return lines


class Drainer:
    """The one thread that reads the output of all processes."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._wanted: deque[Callable[[], None]] = deque()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        self._paused: dict[int, _Pipe] = {}
        self._lock = threading.Lock()
        self._open = True
        self._thread = threading.Thread(target=self._run, name="bot-output", daemon=True)
        self._thread.start()

    def add(self, fd: int, ring: OutputRing) -> None:
        """Drain the pipe `fd` into `ring` until its end; the drainer closes it."""
        os.set_blocking(fd, False)
        with self._lock:
            if self._open:
                ring.catch_up = lambda: self._catch_up(ring)
                self._ask(lambda: self._register(_Pipe(fd, ring)))
                return
        os.close(fd)
        ring.ended.set()

    def remove(self, ring: OutputRing) -> None:
        """Read what is there now, then close the pipe, even when a stray process still holds its other end."""
        with self._lock:
            if self._open:
                self._ask(lambda: self._finish(ring))
        ring.ended.wait()

    def close(self) -> None:
        """Stop the thread and close all pipes."""
        with self._lock:
            if not self._open:
                return
            self._open = False
            self._ask(lambda: None)
        self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _catch_up(self, ring: OutputRing) -> None:
        """Wait until what has been written to the pipe of `ring` was read; not for one that floods."""
        caught_up = threading.Event()

        def read() -> None:
            for pipe in self._live():
                if pipe.ring is ring and _read_on(pipe) == b"":
                    self._end(pipe)
            caught_up.set()

        with self._lock:
            if not self._open or ring.ended.is_set():
                return
            self._ask(read)
        caught_up.wait(CATCH_UP_S)

    def _ask(self, job: Callable[[], None]) -> None:
        self._wanted.append(job)
        with suppress(BlockingIOError):  # enough wake-ups are waiting already
            os.write(self._wake_write, b".")

    def _run(self) -> None:
        while self._open or self._wanted:
            for key, _ in self._selector.select(0.05 if self._paused else None):
                if isinstance(key.data, _Pipe):
                    self._read(key.data)
                else:
                    os.read(self._wake_read, 4096)
            while self._wanted:
                self._wanted.popleft()()
            for pipe in [pipe for pipe in self._paused.values() if pipe.may_read()]:
                self._register(self._paused.pop(pipe.fd))
            for pipe in self._paused.values():
                pipe.ring.flooded()
        for pipe in self._pipes():
            self._end(pipe)
        self._selector.close()

    def _pipes(self) -> list[_Pipe]:
        return self._live() + list(self._paused.values())

    def _live(self) -> list[_Pipe]:
        return [key.data for key in self._selector.get_map().values() if isinstance(key.data, _Pipe)]

    def _register(self, pipe: _Pipe) -> None:
        self._selector.register(pipe.fd, selectors.EVENT_READ, pipe)

    def _read(self, pipe: _Pipe) -> None:
        if pipe.read() == b"":
            self._end(pipe)
        elif not pipe.may_read():
            self._selector.unregister(pipe.fd)
            self._paused[pipe.fd] = pipe
            pipe.ring.flooded()

    def _finish(self, ring: OutputRing) -> None:
        for pipe in self._pipes():
            if pipe.ring is ring:
                _read_on(pipe)
                self._end(pipe)
                break

    def _end(self, pipe: _Pipe) -> None:
        if self._paused.pop(pipe.fd, None) is None:
            self._selector.unregister(pipe.fd)
        os.close(pipe.fd)
        pipe.ring.ended.set()


def _read_on(pipe: _Pipe) -> bytes | None:
    """Read what is there, within bounds; the last thing that was read, as `_Pipe.read` gives it."""
    for _ in range(MOST_READS_AT_END):
        data = pipe.read()
        if not data:
            break
    return data


class _Pipe:
    """A pipe with its allowance: `BURST` bytes at first, refilled by `RATE` a second."""

    def __init__(self, fd: int, ring: OutputRing) -> None:
        self.fd = fd
        self.ring = ring
        self._left = float(BURST)
        self._at = time.monotonic()

    def read(self) -> bytes | None:
        """Read once: None when nothing is there now, b"" at the end."""
        try:
            data = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return None
        self._left -= len(data)
        self.ring.feed(data)
        return data

    def may_read(self) -> bool:
        """Whether some allowance is left; one that was used up is refilled by a quarter first."""
        now = time.monotonic()
        was_empty = self._left <= 0
        self._left = min(float(BURST), self._left + (now - self._at) * RATE)
        self._at = now
        return self._left > (RATE / 4 if was_empty else 0)


def printable(text: str, most: int = 200) -> str:
    """`text` on one line without control characters, cut to `most` characters: safe for a terminal and a record."""
    clean = "".join(char if char.isprintable() else " " if char.isspace() else "�" for char in text[: most + 1])
    return clean if len(clean) <= most else clean[: most - 1] + "…"
