"""`arena serve`: the pages of the arena, for a browser."""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import Annotated

import typer

from arena.cli.errors import CommandFailed
from arena.cli.output import error_console, plain

HOST = "127.0.0.1"
PORT = 8000


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; by default only this machine sees it.")] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = PORT,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further name by which browsers reach it; may be given again."),
    ] = None,
) -> None:
    """Show the results in a browser: ranking, bots, matches. Nobody needs an account to read.

    It shows what is stored and is stored meanwhile, and nothing of a block before that is finished.
    """
    from arena.settings import database_url
    from arena.store.errors import StoreEmptyError
    from arena.store.opening import open_store
    from arena.web.app import create_app
    from arena.web.memory import spare_what_stays
    from arena.web.security import LOOPBACK
    from arena.web.serving import address_of, listen, server
    from arena.web.site import Settings

    with suppress(StoreEmptyError):
        open_store(database_url(), write=True, create=False).close()  # which brings an older one up to date
    app = create_app(Settings(database_url(), (*LOOPBACK, host, *(allow_host or ()))))
    try:
        listening = listen(host, port)
    except OSError as error:
        raise CommandFailed(_why(host, port, error)) from error
    with listening:
        typer.echo(f"The arena is at {address_of(listening)} (Ctrl-C ends it)")
        if host not in LOOPBACK:
            error_console().print(plain("Whoever reaches this machine can read it: there is no account for readers."))
        spare_what_stays()
        with suppress(KeyboardInterrupt):
            server(app).run(sockets=[listening])


def _why(host: str, port: int, error: OSError) -> str:
    """Why nothing can listen there, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken by another program: choose another with --port, or any with --port 0"
    if error.errno == errno.EACCES:
        return f"port {port} is kept for administrators: choose one from 1024 with --port"
    return f"{host} is no address of this machine ({error.strerror or error}): choose another with --host"
