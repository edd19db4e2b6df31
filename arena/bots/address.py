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
        """The address as gRPC writes it."""
        ...

    def listens(self) -> bool:
        """Whether something listens there."""
        ...


@dataclass(frozen=True, slots=True)
class UnixAddress:
    """A socket file."""

    path: Path

    @property
    def target(self) -> str:
        """The address as gRPC writes it."""
        return f"unix:{self.path}"

    def listens(self) -> bool:
        """Whether the socket is there; a link or a plain file in its place is none."""
        try:
            return stat.S_ISSOCK(self.path.lstat().st_mode)
        except OSError:
            return False


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


def new_address(run_folder: Path) -> Address:
    """An address for the one process of `run_folder`."""
    path = run_folder / "s"
    if hasattr(socket, "AF_UNIX") and len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return UnixAddress(path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return LoopbackAddress(probe.getsockname()[1])
