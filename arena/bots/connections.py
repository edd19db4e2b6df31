"""Floods on connections: control frames of HTTP/2, each of which gRPC reads and answers without telling anybody.

What a bot sends over TCP the kernel counts. Of a Unix socket it only tells what waits to be read, which a flood that
keeps pace with us hardly shows. So there are two signs, which honest bots never give together: gRPC's own threads work
more than the calls explain, and looking often finds bytes on a connection of a bot that was asked nothing, or again and
again in one call.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import sys
import termios
import threading
from collections.abc import Collection, Mapping
from contextlib import suppress
from time import monotonic, sleep
from typing import NamedTuple, Protocol, TypeAlias

from arena.bots.traffic import Traffic
from arena.bots.waiting import Times, since, thread_times

LONGEST_QUEUE = 32 * 1024
"""Bytes that may wait to be read from a bot's connection."""

CROWDED_LOOKS = 8
"""So many looks with a longer queue, less those without, make a flood."""

WINDOW_S = 1.0
"""The work of gRPC's threads, and what came over TCP, is added up over so long."""

CALL_S = 200e-6
"""Seconds that gRPC's threads may work for a call; 70 to 180 were measured."""

IDLE_SHARE = 0.02
"""Of a core, that gRPC's threads may take besides."""

FIND_EVERY = 4
"""So many looks pass until new connections are looked for, which costs more than all else."""

BURST_LOOKS = 20
BURST_EVERY_S = 0.002
"""So often connections are looked at, each time, while gRPC's threads work too much."""

LONG_ANSWER = 16 * 1024
"""Bytes; the answers of a full batch take about 10 KiB."""

SIGNS = 8.0
"""Times that bytes were found where none belong, of which `FORGOTTEN` a window are forgotten, make a flood."""

FORGOTTEN = 0.05

IDLE_BYTES, CALL_BYTES = 64 * 1024, 128 * 1024
IDLE_SEGMENTS, CALL_SEGMENTS = 200, 200
"""What a bot may send over TCP in a window, and more for each call in it."""

FLOODED_WINDOWS = 2
"""So many windows in a row with more make a flood."""

TCP_COUNTS = struct.Struct("=128xQ16xI")
"""Of the kernel's `struct tcp_info`: the bytes that were received, and the segments with data (since Linux 4.6)."""

OPEN = "/proc/self/fd"

Peer: TypeAlias = tuple[str, int]


class Known(Protocol):
    """A bot as far as its connections go."""

    traffic: Traffic

    def owns(self, pid: int, uid: int) -> bool:
        """Whether the process `pid` of the user `uid` is its."""
        ...


class _Line:
    """A connection through a Unix socket."""

    def __init__(self, fd: int, pid: int, uid: int) -> None:
        self.fd = fd
        self.pid = pid
        self.uid = uid
        self.crowded = 0
        self.signs = 0.0
        self._length = 0
        self._span = -1
        self._found = 0

    def look(self) -> int:
        """The bytes that wait to be read. Raises OSError."""
        waiting = fcntl.ioctl(self.fd, termios.FIONREAD, bytes(4))
        return int.from_bytes(waiting, sys.byteorder)

    def look_closely(self, traffic: Traffic) -> None:
        """Count a sign when there is something new that answers nothing. Raises OSError."""
        length, span = self.look(), traffic.span
        new = length not in (0, self._length)
        self._length = length
        if span != self._span:
            self._span, self._found = span, 0
        if new:
            self._found += 1
            # An answer comes once, and is not so long.
            self.signs += self._found > 1 or length > LONG_ANSWER or traffic.resting()


class _Counted(NamedTuple):
    """What came over TCP."""

    size: int = 0
    segments: int = 0


class Connections:
    """All connections of this process to bots; `look` is called every so often by one thread."""

    def __init__(self) -> None:
        self._looks = 0
        self._lines: dict[str, _Line] = {}
        self._streams: dict[str, tuple[int, Peer]] = {}
        self._strangers: set[str] = set()
        self._counted: dict[str, _Counted] = {}
        self._too_much: dict[Known, int] = {}
        self._window_began = monotonic()
        self._threads = grpc_threads()
        self._owners: dict[_Line, Known] = {}
        self._answered: dict[Known, int] = {}
        self._excess = self._most_excess = 0.0

    def look(self, bots: Collection[Known]) -> Mapping[Known, str]:
        """Which bots flood a connection now, with the figures."""
        if self._looks % FIND_EVERY == 0:
            self._find()
        self._looks += 1
        self._own(bots)
        floods: dict[Known, str] = {}
        for line, owner in self._owners.items():
            with suppress(OSError):
                line.crowded = max(0, line.crowded + (1 if (length := line.look()) > LONGEST_QUEUE else -1))
                if line.crowded >= CROWDED_LOOKS:
                    floods[owner] = f"{length} bytes on its connection, which never empties"
        if self._excess > 0:
            self._look_closely()
            for line, owner in self._owners.items():
                if line.signs >= SIGNS:
                    work = f"{100 * self._most_excess:.1f} % of a core"
                    floods[owner] = f"bytes that answer nothing, {line.signs:.0f} times, which took {work} to read"
        if (past_s := monotonic() - self._window_began) >= WINDOW_S:
            floods |= self._end_window(past_s, bots)
        return floods

    def _find(self) -> None:
        """Note which sockets this process has now."""
        seen: dict[str, int] = {}
        for name in os.listdir(OPEN) if os.path.isdir(OPEN) else ():  # noqa: PTH112, PTH208  many times a second
            with suppress(OSError):
                link = os.readlink(f"{OPEN}/{name}")  # noqa: PTH115
                if link.startswith("socket:"):
                    seen[link] = int(name)
        self._lines = {link: line for link, line in self._lines.items() if link in seen}
        self._streams = {link: stream for link, stream in self._streams.items() if link in seen}
        self._counted = {link: counted for link, counted in self._counted.items() if link in seen}
        self._strangers &= seen.keys()
        for link in seen.keys() - self._lines.keys() - self._streams.keys() - self._strangers:
            with suppress(OSError):
                self._sort(link, seen[link])

    def _sort(self, link: str, fd: int) -> None:
        """Find out what a new socket is. Raises OSError for one that is not connected yet."""
        with _borrowed(fd) as connection:
            if connection.type != socket.SOCK_STREAM:
                self._strangers.add(link)
            elif connection.family == socket.AF_UNIX:
                connection.getpeername()
                pid, uid, _ = struct.unpack("=iII", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
                self._lines[link] = _Line(fd, pid, uid)
            else:
                self._streams[link] = fd, _plain(connection.getpeername())

    def _own(self, bots: Collection[Known]) -> None:
        """Note whose each connection is; one that is nobody's yet, since its bot was not looked at, is asked again."""
        here, lines = set(bots), set(self._lines.values())
        self._owners = {line: bot for line, bot in self._owners.items() if line in lines and bot in here}
        for line in lines - self._owners.keys():
            owner = next((bot for bot in bots if bot.owns(line.pid, line.uid)), None)
            if owner is not None:
                self._owners[line] = owner

    def _look_closely(self) -> None:
        for _ in range(BURST_LOOKS):
            for line, owner in self._owners.items():
                with suppress(OSError):
                    line.look_closely(owner.traffic)
            sleep(BURST_EVERY_S)

    def _end_window(self, past_s: float, bots: Collection[Known]) -> dict[Known, str]:
        calls = {bot: bot.traffic.answered - self._answered.get(bot, 0) + bot.traffic.busy for bot in bots}
        self._answered = {bot: bot.traffic.answered for bot in bots}
        before, self._threads = self._threads, grpc_threads()
        worked_s = since(before, self._threads).ran_ns * 1e-9
        self._excess = max(0.0, (worked_s - CALL_S * sum(calls.values())) / past_s - IDLE_SHARE)
        self._most_excess = max(self._most_excess, self._excess) if self._excess > 0 else 0.0
        for line in self._lines.values():
            line.signs = line.signs * (1 - FORGOTTEN) if self._excess > 0 else 0.0
        self._window_began = monotonic()
        return self._over_tcp(past_s, calls)

    def _over_tcp(self, past_s: float, calls: Mapping[Known, int]) -> dict[Known, str]:
        """Who sent more over TCP than answers take, in too many windows in a row."""
        came: dict[Peer, _Counted] = {}
        for link, (fd, peer) in self._streams.items():
            with suppress(OSError, struct.error):
                now = _tcp_counts(fd)
                before, self._counted[link] = self._counted.get(link, _Counted()), now
                sum_ = came.get(peer, _Counted())
                came[peer] = _Counted(
                    sum_.size + now.size - before.size, sum_.segments + now.segments - before.segments
                )
        floods = {}
        too_much: dict[Known, int] = {}
        asked: dict[Peer, int] = {}
        for bot, number in calls.items():
            for address in bot.traffic.addresses:
                asked[address] = asked.get(address, 0) + number
        for bot in calls:
            for address in bot.traffic.addresses:
                size, segments = came.get(address, _Counted())
                most = IDLE_BYTES * past_s + CALL_BYTES * asked[address]
                if size > most or segments > IDLE_SEGMENTS * past_s + CALL_SEGMENTS * asked[address]:
                    too_much[bot] = self._too_much.get(bot, 0) + 1
                    if too_much[bot] >= FLOODED_WINDOWS:
                        floods[bot] = f"{size >> 10} kB of {int(most) >> 10} in a second, in {segments} pieces"
        self._too_much = too_much
        return floods


def grpc_threads() -> Times:
    """What the threads of this process have had of a core that are not Python's, and so are gRPC's."""
    own = {thread.native_id for thread in threading.enumerate()}
    return {thread: times for thread, times in thread_times([os.getpid()]).items() if thread not in own}


def _borrowed(fd: int) -> socket.socket:
    """A socket object for somebody else's descriptor, to be closed. Raises OSError."""
    copy = os.dup(fd)
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise


def _plain(address: tuple[str, int]) -> Peer:
    """An address as both families write it."""
    return address[0].removeprefix("::ffff:"), address[1]


def _tcp_counts(fd: int) -> _Counted:
    with _borrowed(fd) as connection:
        told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_COUNTS.size)
    return _Counted(*TCP_COUNTS.unpack(told))
