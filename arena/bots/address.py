"""Where a bot listens: a socket file in its run folder, or a loopback port where that is impossible."""

from __future__ import annotations

import os
import socket
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

LONGEST_SOCKET_PATH = 107
"""Bytes; the kernel's limit."""


class Address(Protocol):
    """Where a bot is to listen."""

    @property
    def target(self) -> str:
        """The address as gRPC writes it, once something listens."""
        ...

    def listens(self) -> bool:
        """Whether something listens there."""
        ...

    def close(self) -> None:
        """Free what holds on to it."""
        ...


class UnixAddress:
    """A socket file that its bot makes at `path`.

    On Linux the socket that was found first is held on to, so that a link or another socket, put into its place later,
    leads nowhere.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd = -1

    @property
    def target(self) -> str:
        """The address as gRPC writes it; usable, also by threads, until `close`."""
        return f"unix:/proc/self/fd/{self._fd}" if self._fd >= 0 else f"unix:{self.path}"

    def listens(self) -> bool:
        """Whether the socket is there; a link or a plain file in its place is none."""
        if not hasattr(os, "O_PATH"):
            try:
                return stat.S_ISSOCK(self.path.lstat().st_mode)
            except OSError:
                return False
        if self._fd < 0:
            try:
                fd = os.open(self.path, os.O_PATH | os.O_NOFOLLOW)
            except OSError:
                return False
            if not stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.close(fd)
                return False
            self._fd = fd
        return True

    def close(self) -> None:
        """Let go of the socket."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


@dataclass(frozen=True, slots=True)
class LoopbackAddress:
    """A port on this machine's loopback, where a socket file is impossible."""

    port: int

    @property
    def target(self) -> str:
        """The address as gRPC writes it."""
        return f"127.0.0.1:{self.port}"

    def listens(self) -> bool:
        """Whether a connection is accepted."""
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=0.1).close()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Nothing is held."""


def new_address(run_folder: Path) -> Address:
    """An address for the one process of `run_folder`."""
    path = run_folder / "s"
    if hasattr(socket, "AF_UNIX") and len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return UnixAddress(path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return LoopbackAddress(probe.getsockname()[1])


def reached_at(address: Address) -> frozenset[tuple[str, int]]:
    """The IP addresses and ports by which connections to it are known."""
    return frozenset({("127.0.0.1", address.port)}) if isinstance(address, LoopbackAddress) else frozenset()
