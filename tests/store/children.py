"""What the tests of the store run as processes of their own: `python -m tests.store.children WHAT PATH …`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from arena.settings import url_of
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.tables import TOURNAMENT
from tests.store.made import result

ROOT = Path(__file__).parents[2]


def start(what: str, path: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.store.children", what, str(path), *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def play(path: Path, tournament: str) -> None:
    """Play all that is left, a handful at a time; a line for each block that is stored."""
    with open_store(url_of(path), write=True) as store:
        ledger = SqlLedger(store)
        with ledger.lead(tournament) as epoch:
            while claims := ledger.claim(tournament, epoch, 4):
                for claimed in claims:
                    ledger.complete(tournament, epoch, result(claimed))
                    tell(claimed.block.block_id.hex())


def hold(path: Path, tournament: str) -> None:
    """Lead the tournament, with a living child, until the input ends."""
    with open_store(url_of(path), write=True) as store, SqlLedger(store).lead(tournament):
        subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"])
        tell("leading")
        sys.stdin.read()


def count(path: Path, times: str) -> None:
    """Read a number, add one and write it, so many times."""
    with open_store(url_of(path), write=True) as store:
        for _ in range(int(times)):
            with store.writing() as connection:
                epoch = connection.execute(sa.select(TOURNAMENT.c.epoch)).scalar_one()
                connection.execute(TOURNAMENT.update().values(epoch=epoch + 1))


def create(path: Path) -> None:
    """Open the database for writing as soon as the input ends."""
    sys.stdin.read()
    open_store(url_of(path), write=True).close()
    tell("done")


if __name__ == "__main__":
    doings: dict[str, Callable[..., None]] = {"play": play, "hold": hold, "count": count, "create": create}
    doings[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
