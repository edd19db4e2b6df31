"""The arena of an ordinary user, installed for everybody: bots are kept in a sandbox there too, and nothing is left."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest

import arena
from tests.arena_bots.sandboxes import UID
from tests.bots.making import make_scripted
from tests.needs import needs

LOADED = """
import sys
import arena.cli.main, arena.cli.playing, arena.cli.tournament_run, arena.fleet.slot, arena.fleet.local
import alembic.command, arena.sdk, arena.store.ledger, arena.store.opening, arena.store.repository
print(*{module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", None)}, sep="\\n")
"""


@pytest.fixture(scope="module")
def installed() -> Iterator[Path]:
    """An environment of the system's Python that everybody can read, with the arena and what it needs."""
    with TemporaryDirectory(prefix="everybody-") as place:
        Path(place).chmod(0o755)
        environment = Path(place) / "venv"
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", str(environment)], check=True)
        (target,) = environment.glob("lib/python3*/site-packages")
        for package in packages():
            copy = shutil.copytree if package.is_dir() else shutil.copy
            copy(package, target / package.name)
        source = Path(arena.__file__).parent
        shutil.copytree(source, target / "arena", ignore=shutil.ignore_patterns("__pycache__"))
        yield environment


def packages() -> set[Path]:
    """The packages of others that the arena has loaded when it plays, with the libraries that come beside them."""
    files = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    found = set()
    for site in {parent for file in files for parent in Path(file).parents if parent.name == "site-packages"}:
        found |= {site / Path(file).relative_to(site).parts[0] for file in files if Path(file).is_relative_to(site)}
        found |= set(site.glob("*.libs"))
    return {package for package in found if not package.name.startswith(("__editable__", "_distutils"))}


@pytest.mark.slow
@needs("sandbox", "root", "twin python")
def test_an_ordinary_user_s_bots_play_in_a_sandbox_and_leave_nothing(installed: Path) -> None:
    with TemporaryDirectory(prefix="home-") as home:
        for name in ("ann", "bob"):
            make_scripted(Path(home) / name)
        for path in (Path(home), *Path(home).rglob("*")):
            os.chown(path, UID, UID)

        def run(*arguments: str) -> str:
            person = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "env", "-i"]
            surroundings = ["PATH=/usr/bin:/bin", f"HOME={home}", f"TMPDIR={home}"]
            command = [*person, *surroundings, str(installed / "bin" / "python3"), "-B", "-m", "arena", *arguments]
            done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=100, check=False)
            assert done.returncode == 0, done.stderr
            return done.stdout

        run("tournament", "run", "ann", "bob", "--sandbox", "require", "--deals", "2", "--seats", "2", "--quiet")
        (tournament,) = json.loads(run("tournament", "list", "--json"))
        exported = [json.loads(line) for line in run("export", tournament["id"], "--out", "-").splitlines()]
        assert len(exported) == 4
        assert {match["sandbox"] for match in exported} == {"watchdog"}
        assert not [turn for match in exported for deal in match["deals"] for turn in deal["turns"] if turn["fault"]]
        until = time.monotonic() + 5.0
        while (left := of_user()) and time.monotonic() < until:
            time.sleep(0.01)
        assert left == []
        assert list(Path(home).glob("arena-*")) == []


def of_user() -> list[str]:
    """What still runs of the user."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.uids().real == UID and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()))
        except psutil.NoSuchProcess:
            continue
    return found
