"""A new bot's folder, made of the templates beside this module, the kit that a sample bot in
that language plays with, and the contract.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from string import Template

import arena.wire.v1
from arena.bots.errors import FolderError
from arena.bots.languages import LANGUAGES, Languages
from arena.bots.manifest import MANIFEST_NAME
from arena.bots.package import is_always_left_out

TEMPLATES = Path(__file__).parent / "templates"
CONTRACT = Path(arena.wire.v1.__file__).with_name("bot.proto")
NAMED = (MANIFEST_NAME, "README.md")
"""The files in which the bot's name stands."""


def make_folder(target: Path, name: str, language: Languages, samples: Path) -> None:
    """Make the folder `target` with a bot of this name, which is one that `check_label` allows; all of it or nothing.

    `samples` is where the sample bots lie. Raises `FolderError` when there is something at `target` already, and
    OSError.
    """
    if os.path.lexists(target):
        raise FolderError(f"{target} exists already; give another name, or another place with --folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=target.parent) as scratch:
        made = Path(scratch) / "bot"
        _copy(TEMPLATES / language.value, made)
        for file in NAMED:
            _name(made / file, name)
        kit = LANGUAGES[language]
        for part in kit.parts:
            _copy(samples / kit.sample / part, made / part)
        if kit.parts:
            _copy(CONTRACT, made / CONTRACT.name)
        made.rename(target)


def _copy(source: Path, target: Path) -> None:
    """Copy a file, or a folder with all in it that is not a run's; who may do what with it is as for any new file."""
    if not source.is_dir():
        shutil.copyfile(source, target)
        return
    target.mkdir()
    for inner in source.iterdir():
        if not is_always_left_out(inner.name):
            _copy(inner, target / inner.name)


def _name(path: Path, name: str) -> None:
    text = Template(path.read_text(encoding="utf-8"))
    path.write_text(text.substitute(name=json.dumps(name, ensure_ascii=False), title=name), encoding="utf-8")
