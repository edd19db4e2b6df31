"""The pages as a real server on a free port, for as long as a test needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from fastapi import FastAPI

from arena.web.app import create_app
from arena.web.serving import address_of, listen, server
from arena.web.site import Settings


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
