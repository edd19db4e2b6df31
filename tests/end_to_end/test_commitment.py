"""Whoever has read a commitment can have it opened, whenever the arena was killed: it is stored before it is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.errors import MISUSE
from arena.settings import url_of
from arena.store.opening import open_store
from arena.store.repository import Repository, StoredTournament
from arena.tournament.blocks import commitment
from arena.tournament.ports import Tournament
from tests.end_to_end.arena import SECRET, Arena
from tests.fleet.running import SAMPLES

KILLED = """
import os, signal, sys
import typer
from arena.cli.main import run

say = typer.echo

def say_and_die(message, **how):
    say(message, **how)
    if message.startswith(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)

typer.echo = say_and_die
sys.exit(run(sys.argv[2:]))
"""
"""The arena, killed at the moment when it has said what begins so."""

RUN = (
    *("tournament", "run", str(SAMPLES / "greedy"), str(SAMPLES / "random")),
    *("--seats", "2", "--deals", "1", "--deal-cap", "1", "--workers", "1", "--seed", SECRET),
)


def stored(arena: Arena) -> StoredTournament:
    """The only tournament that there is."""
    with open_store(url_of(arena.folder / arena.database), write=False) as store:
        (tournament,) = Repository(store).tournaments()
    return tournament


def committed(tournament: Tournament) -> str:
    """What is told of the secret of a tournament that is in the database."""
    return f"Commitment to the cards: {commitment(tournament.secret).hex()}"


@pytest.mark.slow
def test_a_commitment_that_was_told_is_that_of_a_tournament_which_goes_on(tmp_path: Path) -> None:
    arena = Arena(tmp_path)
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, "Commitment", *RUN],
        cwd=arena.folder,
        env={**os.environ, "ARENA_DATABASE_URL": f"sqlite:///{arena.database}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert committed(stored(arena).tournament) in killed.stderr
    arena.ok("tournament", "resume", "--quiet")
    assert stored(arena).finished is not None


@pytest.mark.slow
def test_one_that_is_killed_while_its_beacon_is_asked_for_waits_for_the_text(tmp_path: Path) -> None:
    arena = Arena(tmp_path)
    told = killed_at_the_question(arena)
    waiting = stored(arena).tournament
    assert committed(waiting) in told
    assert waiting.waits_for_beacon
    refused = arena.run("tournament", "resume")
    assert (refused.returncode, f"`arena tournament resume {waiting.id} --beacon-text TEXT`" in refused.stderr) == (
        MISUSE,
        True,
    )
    arena.ok("tournament", "resume", "--beacon-text", " 7 11 42\n", "--quiet")
    assert stored(arena).finished is not None
    assert stored(arena).tournament.beacon_text == "7 11 42"


def killed_at_the_question(arena: Arena) -> str:
    """What a tournament had said on its terminal when it was killed while it asked for the text of its beacon."""
    ours, its = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *RUN, "--beacon", "draw"],
        cwd=arena.folder,
        env={**os.environ, "ARENA_DATABASE_URL": f"sqlite:///{arena.database}"},
        stdin=its,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        told = ""
        while not told.endswith("Text of draw:"):
            sign = process.stderr.read(1)
            assert sign, told
            told += sign
        process.kill()
    os.close(ours)
    os.close(its)
    return told
