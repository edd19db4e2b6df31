from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.web.conducting import MOST_ENDED, BusyError, Conductor, Run
from arena.web.database import Database

PATIENCE_S = 60.0

WAITS = "import sys; print('Playing tournament abc.', flush=True); sys.stdin.read()"
DEAF = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + WAITS + "; import time; time.sleep(1000)"


@contextmanager
def conducting(path: Path) -> Iterator[Conductor]:
    """A conductor whose commands are lines of Python."""
    database = Database(f"sqlite:///{path}")
    conductor = Conductor(database, (sys.executable, "-c"))
    try:
        yield conductor
    finally:
        conductor.close()
        database.close()


def played(run: Run) -> Run:
    assert run.settled(PATIENCE_S)
    return run


def test_it_is_known_which_tournament_a_command_plays(made_up: Path) -> None:
    with conducting(made_up) as conductor:
        run = played(conductor.start([WAITS], "ada"))
        assert (run.tournament, run.is_playing, run.has_ended, run.owner) == ("abc", True, False, "ada")
        assert conductor.playing("abc") is run
        assert conductor.playing("other") is None


def test_only_the_first_line_names_the_tournament(made_up: Path) -> None:
    text = "print('a Playing tournament x.'); print('Playing tournament abc.'); print('Playing tournament evil.')"
    with conducting(made_up) as conductor:
        run = conductor.start([text], "ada")
        assert run.ended(PATIENCE_S)
        assert run.tournament == "abc"


def test_a_command_that_fails_says_why(made_up: Path) -> None:
    text = "import sys; print('a note', file=sys.stderr); print('a table'); sys.exit('arena: --seats 9: too many')"
    with conducting(made_up) as conductor:
        run = played(conductor.start([text], "ada"))
        assert (run.code, run.failure) == (1, "--seats 9: too many")
        assert "a table" in run.lines


def test_one_that_is_stopped_has_not_failed(made_up: Path) -> None:
    with conducting(made_up) as conductor:
        run = played(conductor.start([WAITS], "ada"))
        run.stop()
        assert run.ended(PATIENCE_S)
        assert run.code != 0
        assert run.failure == ""


def test_so_many_run_at_once_and_each_tournament_once(made_up: Path) -> None:
    with conducting(made_up) as conductor:
        first = played(conductor.start([WAITS], "ada"))
        with pytest.raises(BusyError, match="already"):
            conductor.start([WAITS], "ada", "abc")
        played(conductor.start([WAITS], "ada", "other"))
        with pytest.raises(BusyError, match="2 tournaments"):
            conductor.start([WAITS], "ada", "third")
        first.stop()
        assert first.ended(PATIENCE_S)
        played(conductor.start([WAITS], "ada", "third"))


def test_what_is_remembered_has_bounds(made_up: Path) -> None:
    with conducting(made_up) as conductor:
        run = conductor.start(["print('x' * 10_000_000); print('y\\n' * 10_000)"], "ada")
        assert run.ended(PATIENCE_S)
        assert sum(map(len, run.lines)) < 200_000
        assert run.lines[-1] in ("y", "")


def test_the_latest_that_have_ended_are_remembered(made_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.conducting.MOST_ENDED", 2)
    with conducting(made_up) as conductor:
        for _ in range(4):
            assert conductor.start(["pass"], "ada").ended(PATIENCE_S)
        assert [run.number for run in conductor.runs()] == [4, 3, 2]
    assert MOST_ENDED > 2


def test_what_no_command_line_can_hold_is_refused(made_up: Path) -> None:
    with conducting(made_up) as conductor:
        for text in ("a\0b", "\ud800"):
            with pytest.raises(ValueError, match=r"null byte|encode"):
                conductor.start(["pass", text], "ada")
        assert conductor.runs() == ()


def test_all_end_with_the_server_also_those_that_do_not_want_to(made_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.conducting.END_S", 0.5)
    with conducting(made_up) as conductor:
        runs = [played(conductor.start([text], "ada")) for text in (WAITS, DEAF)]
    assert all(run.has_ended for run in runs)
    with pytest.raises(BusyError, match="ending"):
        conductor.start([WAITS], "ada")


SERVER = """
import sys
from arena.web.conducting import Conductor
from arena.web.database import Database

conductor = Conductor(Database(sys.argv[1]))
run = conductor.start(
    ["tournament", "run", "--seats=2", "--deals=5000", "--stop-at-eof", "--", "greedy", "random"], "ada"
)
assert run.settled(60), run.lines
print(run.tournament, run._process.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
def test_a_tournament_ends_with_a_server_that_is_killed_and_can_be_resumed(made_up: Path, tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    path.write_bytes(made_up.read_bytes())
    url = f"sqlite:///{path}"
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        tournament, number = server.stdout.readline().split()
        child = psutil.Process(int(number))
        family = [child, *child.children(recursive=True)]
        os.kill(server.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(family, timeout=15)
    assert alive == []
    with open_store(url, write=False) as store:
        assert Repository(store).tournament(tournament).finished is None
    left = subprocess.run(
        [sys.executable, "-m", "arena", "tournament", "finish", tournament],
        env={**os.environ, "ARENA_DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "blocks are still to be played" in left.stderr
