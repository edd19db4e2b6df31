"""Makes bot folders for tests: of the scripted bot with its words, of the memory bot, or of any command."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent


def make_bot(folder: Path, command: list[str], name: str = "", **more: object) -> Path:
    """A folder with a bot.toml whose `command` is given; `more` are further keys of it."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = {"name": name or folder.name, "version": "1", "command": command, **more}
    tables = {key: value for key, value in keys.items() if isinstance(value, Mapping)}
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items() if key not in tables]
    for key, table in tables.items():
        lines += [f"[{key}]", *(f"{inner} = {json.dumps(value)}" for inner, value in table.items())]
    (folder / "bot.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def make_scripted(folder: Path, *words: str, name: str = "", **more: object) -> Path:
    """A folder with the scripted bot that obeys `words`; see `scripted.py`."""
    make_bot(folder, ["python", "scripted.py", *words], name, **more)
    shutil.copy(HERE / "scripted.py", folder)
    return folder


def make_memory(folder: Path, shouts: Path, name: str = "") -> Path:
    """A folder with the memory bot, which appends a line to `shouts` when it knows a hand that it must not."""
    make_bot(folder, ["python", "memory.py", str(shouts)], name)
    shutil.copy(HERE / "memory.py", folder)
    return folder


def make_hostile(folder: Path, *words: str, **limits: int) -> Path:
    """A folder with the hostile bot that does what `words` say, under small limits unless others are given."""
    small = {"memory_mb": 64, "processes": 40, "files": 64, "disk_mb": 8}
    make_bot(folder, ["python3", "-I", "-S", "hostile.py", *words], limits=small | limits)
    shutil.copy(HERE / "hostile.py", folder)
    return folder


def make_flooding(folder: Path, *words: str, name: str = "") -> Path:
    """A folder with the scripted bot behind one that floods its connection; see `flooding.py`."""
    make_bot(folder, ["python", "flooding.py", *words], name)
    for program in ("flooding.py", "scripted.py"):
        shutil.copy(HERE / program, folder)
    return folder
