"""A build is held to limits of its own, and whatever it exceeds is named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots import building
from arena.bots.building import BUILD_LIMITS, MOST_FILES, judge, taken
from arena.bots.errors import BuildError
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.manifest import BotLimits
from arena.bots.usage import Exceeded, Space
from arena.match.limits import ProcessLimits
from tests.arena_bots.sandboxes import LEVELS, level
from tests.bots.making import make_bot

Build = Callable[[str], str]

FILL = "import os; [open(f'{n}', 'wb').write(bytes(1 << 20)) for n in range(1 << 20)]"
HIDE = """
import os
held = []
for n in range(1 << 20):
    held.append(open("hidden", "wb", buffering=0))
    os.unlink("hidden")
    held[-1].write(bytes(1 << 20))
    if n == 500:
        import time; time.sleep(600)
"""
CREATE = "import os, time; [os.close(os.open(f'{n}', os.O_CREAT)) for n in range(3000)]; time.sleep(600)"


@pytest.fixture(params=["none", LEVELS[0]])
def build(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Build with a program in Python under small limits; what is said of it, and that nothing is left."""
    monkeypatch.setattr(building, "BUILD_LIMITS", BotLimits(memory_mb=512, processes=64, files=1024, disk_mb=32))
    monkeypatch.setattr(building, "MOST_FILES", 2_000)

    def make(program: str) -> str:
        bot = make_bot(tmp_path / "bot", ["true"], build=["python", "-I", "-S", "-c", program])
        with Launcher(ProcessLimits(), level(request.param)) as launcher:
            with pytest.raises(BuildError) as caught:
                launcher.prepare(open_folder(bot))
            assert list(launcher._folder.glob("prepared/*")) == []
        return str(caught.value)

    return make


@pytest.mark.parametrize(
    ("program", "said"),
    [(FILL, "MB written of 32"), (HIDE, "MB written of 32"), (CREATE, "more than 2000 written")],
    ids=["fill", "hide", "create"],
)
def test_a_build_that_fills_its_folder_is_ended_and_called_by_that(build: Build, program: str, said: str) -> None:
    words = build(program)
    assert words.startswith("bot: the build exceeded its limit of files: ")
    assert words.endswith(said)


def test_a_build_without_end_is_ended_and_called_by_that(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BUILD_LIMIT_S", 0.3)
    assert build("while True: pass") == "bot: the build exceeded its limit of time: more than 0 s"


def test_what_a_build_has_written_when_it_ends_counts_too(build: Build) -> None:
    assert build("open('large', 'wb').write(bytes(40 << 20))").endswith("MB written of 32")


def test_links_count_once_and_holes_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(1 << 20))
    os.link(tmp_path / "file", tmp_path / "link")
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(1 << 30)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner").touch()
    found = taken([tmp_path])
    assert found.inodes == 5
    assert 1 << 20 <= found.memory < 2 << 20


def test_the_verdict_names_the_limit_with_its_figures() -> None:
    most = BUILD_LIMITS.disk_mb
    assert judge(Space((most << 20) - 1, MOST_FILES)) is None
    assert judge(Space(most << 20, 1)) == Exceeded("files", f"{most} MB written of {most}")
    assert judge(Space(0, MOST_FILES + 1)) == Exceeded("files", f"more than {MOST_FILES} written")
