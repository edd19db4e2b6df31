"""What the surroundings decide: where the results lie, and where bots are found. Everything else is an argument of a
command."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from shlex import quote as quoted
from urllib.parse import quote

from platformdirs import user_cache_path, user_data_path

import arena

DATABASE_VARIABLE = "ARENA_DATABASE_URL"

REMOTES_VARIABLE = "ARENA_REMOTES"
"""Names the file that says where the certificates and tokens for remote bots lie; the same as `--remotes`."""


def database_url(environment: Mapping[str, str] = os.environ) -> str:
    """The database to use: ARENA_DATABASE_URL, or without it (or when empty) one file in the user's data folder."""
    if database_is_named(environment):
        return environment[DATABASE_VARIABLE]
    return url_of(user_data_path("least-score-arena", False) / "arena.db")


def url_of(path: Path) -> str:
    """The address of the database in a file."""
    return f"sqlite:///{quote(str(path))}"


def database_is_named(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether somebody chose the database, so that a folder which is not there is a mistake and is not made."""
    return bool(environment.get(DATABASE_VARIABLE))


SERVE_VARIABLE = "ARENA_SERVE_COMMAND"
"""What starts the pages, where that is not `arena serve`: the Makefile names its own goal."""


def serve_command(environment: Mapping[str, str] = os.environ) -> str:
    """What somebody types to have the pages of the database that is used."""
    if environment.get(SERVE_VARIABLE):
        return environment[SERVE_VARIABLE]
    named = database_is_named(environment)
    return f"{DATABASE_VARIABLE}={quoted(database_url(environment))} arena serve" if named else "arena serve"


MY_BOTS = Path("my_bots")
"""Where a user's own bots lie, below the current folder."""


def turns_folder() -> Path:
    """Where turns are written that are to be asked again: a folder of what may be lost."""
    return user_cache_path("least-score-arena", False) / "turns"


def sample_bots() -> Path:
    """Where the sample bots lie: beside the package in a checkout, inside it when it was installed."""
    package = Path(arena.__file__).parent
    beside = package.parent / "sample_bots"
    return beside if beside.is_dir() else package / "sample_bots"
