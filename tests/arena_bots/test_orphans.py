"""What a dead arena left is ended and removed by the next one; a living one's never is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from arena.bots.control_groups import control_groups
from arena.bots.guard import LOCK
from arena.bots.launcher import Launcher
from arena.bots.orphans import claim, new_folder, sweep
from arena.match.limits import ProcessLimits
from tests.arena_bots.conftest import LISTENER
from tests.arena_bots.sandboxes import LEVELS, level
from tests.arena_bots.test_guard import gone, of, until
from tests.bots.making import make_bot
from tests.needs import needs

ARENA = """
import sys, threading
from pathlib import Path
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.ring import OutputRing
from arena.match.limits import ProcessLimits

launcher = Launcher(ProcessLimits(), sys.argv[2])
bot = launcher.prepare(open_folder(Path(sys.argv[1])))
process = launcher.start(bot, OutputRing(), threading.Event())
print(launcher._folder, process.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for the folders of the arenas of a test."""
    with tempfile.TemporaryDirectory(prefix="t") as place:
        Path(place).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", place)
        monkeypatch.setenv("TMPDIR", place)
        yield Path(place)


def arena(bot: Path, kept: str) -> tuple[subprocess.Popen[str], str, int]:
    """An arena in a process of its own with a bot: its folder and the bot's process."""
    command = [sys.executable, "-c", ARENA, str(bot), kept]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    folder, pid = process.stdout.readline().split()
    return process, folder, int(pid)


def kill_at_once(process: subprocess.Popen[str]) -> None:
    """End an arena and its guard so that neither can clear up, and wait until both have let go of their files."""
    guards = [one for one in psutil.Process(process.pid).children() if "guard.py" in " ".join(one.cmdline())]
    assert len(guards) == 1
    for pid in (guards[0].pid, process.pid):
        os.kill(pid, signal.SIGSTOP)
    for pid in (guards[0].pid, process.pid):
        os.kill(pid, signal.SIGKILL)
    process.communicate()
    assert until(lambda: not guards[0].is_running() or guards[0].status() == psutil.STATUS_ZOMBIE, 5.0)


def test_the_next_launcher_ends_what_a_dead_arena_left(tmp_path: Path) -> None:
    process, folder, pid = arena(make_bot(tmp_path / "bot", LISTENER), "none")
    kill_at_once(process)
    assert pid in of(folder)
    with Launcher(ProcessLimits()):
        assert until(lambda: gone(folder), 5.0)


@pytest.mark.slow
@pytest.mark.parametrize("kept", LEVELS)
def test_sandboxes_are_gone_by_themselves_and_the_next_launcher_removes_the_rest(tmp_path: Path, kept: str) -> None:
    process, folder, pid = arena(make_bot(tmp_path / "bot", LISTENER), kept)
    groups = control_groups()
    group = groups.parent / Path(folder).name if groups is not None and kept == "full" else None
    kill_at_once(process)
    assert until(lambda: not psutil.pid_exists(pid), 5.0)
    assert Path(folder).exists()
    assert group is None or group.exists()
    with Launcher(ProcessLimits(), level(kept)):
        assert not Path(folder).exists()
        assert group is None or not group.exists()


def test_a_living_arena_is_left_alone(tmp_path: Path) -> None:
    process, folder, pid = arena(make_bot(tmp_path / "bot", LISTENER), "none")
    with Launcher(ProcessLimits()):
        assert pid in of(folder)
        assert Path(folder, LOCK).exists()
    process.communicate()
    assert until(lambda: gone(folder), 5.0)


def test_an_arena_whose_guard_still_clears_up_is_left_alone(temporary: Path) -> None:
    folder = temporary / "arena-1"
    folder.mkdir()
    lock = claim(folder)
    guard = os.dup(lock)  # as it is inherited
    os.close(lock)
    sweep(temporary, None)
    assert folder.exists()
    os.close(guard)
    sweep(temporary, None)
    assert not folder.exists()


def test_a_folder_of_an_arena_that_died_before_it_had_a_lock_is_removed(temporary: Path) -> None:
    Path(tempfile.mkdtemp(prefix="arena-")).joinpath("file").touch()
    empty = Path(tempfile.mkdtemp(prefix="arena-"))
    sweep(temporary, None)
    assert not empty.exists()
    assert len(list(temporary.iterdir())) == 1, "what is not empty may be anybody's"


def test_whoever_finds_its_new_folder_swept_up_takes_another(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    mkdtemp = tempfile.mkdtemp

    def swept_up_at_first(prefix: str, dir: Path) -> str:
        made.append(mkdtemp(prefix=prefix, dir=dir))
        if len(made) == 1:
            sweep(temporary, None)
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", swept_up_at_first)
    folder, lock = new_folder(temporary)
    os.close(lock)
    assert [str(folder)] == made[1:]
    assert list(temporary.iterdir()) == [folder]


def test_folders_that_are_no_arenas_are_left_alone(temporary: Path) -> None:
    (temporary / "arena-notes").mkdir()
    (temporary / "other").mkdir()
    os.close(claim(temporary / "other"))
    (temporary / "arena-link").symlink_to(temporary / "other")
    sweep(temporary, None)
    assert sorted(path.name for path in temporary.iterdir()) == ["arena-link", "arena-notes", "other"]


@needs("root")
def test_what_belongs_to_another_user_is_left_alone(temporary: Path) -> None:
    (temporary / "arena-hers").mkdir()
    os.close(claim(temporary / "arena-hers"))
    os.chown(temporary / "arena-hers", 54_321, 54_321)
    sweep(temporary, None)
    assert (temporary / "arena-hers").exists()
