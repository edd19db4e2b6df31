"""An examination in a process of its own: what it tells, and that it and its bots end with whoever wanted it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from arena.fleet.examination import Examination, ExaminationError, Said
from tests.arena_bots.archives import BOT, tar
from tests.bots.making import make_scripted
from tests.needs import needs


def archived(folder: Path, *words: str) -> Path:
    """An archive of the scripted bot that obeys `words`."""
    bot = make_scripted(folder / "fox", *words)
    archive = folder / "sent"
    archive.write_bytes(tar({file.name: file.read_bytes() for file in bot.iterdir()}))
    return archive


def below() -> set[int]:
    """All processes below this one."""
    return {process.pid for process in psutil.Process(os.getpid()).children(recursive=True)}


def eventually(is_so: Callable[[], bool]) -> bool:
    until = time.monotonic() + 20
    while not is_so():
        if time.monotonic() > until:
            return False
    return True


@needs("sandbox")
def test_what_is_no_bot_is_refused_under_the_name_that_its_sender_knows(tmp_path: Path) -> None:
    archive = tmp_path / "sent"
    archive.write_bytes(tar(BOT | {"bot.toml": b'name = "fox"\n'}))
    with Examination(archive, "ann") as examination:
        (frame,) = examination.frames()
    assert frame.head == {"said": Said.REFUSED, "reason": "the archive/bot.toml: 'version' is missing"}


@needs("sandbox")
def test_a_bot_that_does_not_start_is_told_of_in_the_step_in_which_that_shows(tmp_path: Path) -> None:
    with Examination(archived(tmp_path, "exit-at-import:3"), "ann") as examination:
        heads = [frame.head for frame in examination.frames()]
    assert [head["said"] for head in heads] == [Said.BOT, Said.STEP, Said.STEP, Said.DONE]
    assert heads[0] | {"id": ""} == {"said": Said.BOT, "name": "fox", "version": "1", "id": ""}
    assert "exited with status 3" in heads[2]["findings"][0]["what"]


@needs("sandbox")
@pytest.mark.slow
def test_a_good_bot_goes_through_all_steps_and_comes_back_packed(tmp_path: Path) -> None:
    with Examination(archived(tmp_path), "ann") as examination:
        bot, *steps, done = examination.frames()
    assert bot.blob.startswith(b"\x28\xb5\x2f\xfd"), "a tar.zst"
    assert [step.head["step"] for step in steps] == [
        "files", "start", "describe", "turns", "order", "batch", "idle", "speed", "matches", "memory", "output",
    ]  # fmt: skip
    assert not any(finding["error"] for step in steps for finding in step.head["findings"])
    assert done.head == {"said": Said.DONE}


@needs("sandbox")
@pytest.mark.parametrize("how", ["end", "kill"])
def test_when_it_is_given_up_it_ends_at_once_with_its_bot(tmp_path: Path, how: str) -> None:
    before = below()
    examination = Examination(archived(tmp_path, "never-listens"), "ann")
    frames = examination.frames()
    assert next(frames).head["said"] == Said.BOT
    assert next(frames).head["step"] == "files"
    if how == "kill":
        examination.kill()
        with pytest.raises(ExaminationError):
            next(frames)
    examination.end()
    assert eventually(lambda: below() <= before)


@needs("sandbox")
def test_it_does_not_take_for_ever(tmp_path: Path) -> None:
    examination = Examination(archived(tmp_path, "never-listens"), "ann", most_s=0.1)
    with examination, pytest.raises(ExaminationError, match="ended with status -9"):
        list(examination.frames())
