"""The pages as a real server on a free port, for as long as a test needs it."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from fastapi import FastAPI

from arena.web.app import create_app
from arena.web.serving import address_of, listen, server
from arena.web.site import Settings
from tests.end_to_end.arena import Arena


def settings(path: Path) -> Settings:
    """The settings of pages over the database at `path`."""
    return Settings(f"sqlite:///{path}")


@contextmanager
def served(path: Path) -> Iterator[str]:
    """The address of a server over the database at `path`, without the slash at its end."""
    with served_app(create_app(settings(path))) as address:
        yield address


@contextmanager
def served_app(app: FastAPI) -> Iterator[str]:
    """The address of a server for an application."""
    with listen("127.0.0.1", 0) as listening:
        running = server(app)
        thread = Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()  # the socket listens already, so that whoever connects early waits
        try:
            yield address_of(listening).rstrip("/")
        finally:
            running.should_exit = True
            thread.join()


class Served(NamedTuple):
    """`arena serve` as a process: its address without the slash at its end, and where its standard error is kept."""

    address: str
    process: subprocess.Popen[str]
    log: Path


@contextmanager
def served_by_command(arena: Arena) -> Iterator[Served]:
    """The command over the database of an arena, which need not exist yet; `log` is there after the `with`."""
    process, log = arena.start("serve", "--port", "0"), arena.folder / "serve.log"
    try:
        assert process.stdout is not None
        yield Served(process.stdout.readline().split()[4].rstrip("/"), process, log)
    finally:
        process.send_signal(signal.SIGINT)
        log.write_text(process.communicate()[1])
