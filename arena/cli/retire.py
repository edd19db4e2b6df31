"""`arena bots retire`: takes a submitted bot out of coming tournaments."""

from __future__ import annotations

from datetime import UTC, datetime
from shlex import quote
from typing import Annotated

import typer

from arena.cli.errors import Misuse
from arena.cli.output import console, plain

WHICH = "All versions of a name, NAME@VERSION, or the beginning of a digest."


def retire(name: Annotated[str, typer.Argument(metavar="NAME", help=WHICH)]) -> None:
    """Take a submitted bot out of the tournaments to come; what it has played stays, and so does its name.

    `arena bots restore` lets it play again.
    """
    from arena.cli.doing import note
    from arena.settings import database_url
    from arena.store.opening import open_store
    from arena.store.roles import Deed
    from arena.store.submissions import Submissions, meant_by, newest

    with open_store(database_url(), write=True, create=False) as store:
        submissions = Submissions(store)
        meant = meant_by(name, submissions.all())
        able = [one for one in meant if one.retired is None]
        if not meant:
            raise Misuse(f"no bot {name!r} was submitted, and only such bots are retired: `arena bots list` shows them")
        if not able:
            raise Misuse(f"{name} is retired already: `arena bots restore {quote(name)}` lets it play again")
        submissions.retire(able, datetime.now(UTC))
        for one in able:
            note(store, Deed.RETIRED, one.label)
        others = [one for one in newest(submissions.all()) if one.name == able[-1].name]
    labels = ", ".join(one.label for one in able)
    console().print(plain(f"Retired {labels}: tournaments to come play without it."), soft_wrap=True)
    for one in others:
        console().print(plain(f"In its place they play {one.label}."), soft_wrap=True)
