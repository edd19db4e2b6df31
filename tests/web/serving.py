"""The pages as a real server on a free port, for as long as a test needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from arena.web.app import create_app
from arena.web.serving import address_of, listen, server
from arena.web.site import Settings


def settings(path: Path) -> Settings:
    """The settings of pages over the database at `path`."""
    return Settings(f"sqlite:///{path}")


@contextmanager
def served(path: Path) -> Iterator[str]:
    """The address of a server over the database at `path`, without the slash at its end."""
    with listen("127.0.0.1", 0) as listening:
        running = server(create_app(settings(path)))
        thread = Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()  # the socket listens already, so that whoever connects early waits
        try:
            yield address_of(listening).rstrip("/")
        finally:
            running.should_exit = True
            thread.join()
