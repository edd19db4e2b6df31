"""`bot.toml`: what a bot's folder says of the bot, read strictly, so that a typo is an error and never a default."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from arena.bots.errors import ManifestError
from arena.bots.names import MAX_NAME, MAX_VERSION, check_label

MANIFEST_NAME = "bot.toml"
MAX_BYTES = 1 << 16
"""No manifest is longer; what is longer was not meant to be one."""

MAX_KEY_PARTS = 8
"""No key of a manifest has so many parts, and time and memory for reading one grow with the square of their number:
30,000 of them took 20 s and 3.5 GB."""

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""  # possessive: it never looks back
_LONG_KEY = re.compile(rf"^[ \t]*+\[{{0,2}}+[ \t]*+(?:{_PART}\.[ \t]*+){{{MAX_KEY_PARTS - 1}}}", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class BotLimits:
    """The table `[limits]`: what the bot needs of the machine, for each of its processes in a chair.

    `memory_mb` bounds its memory, what it writes to `/tmp` included, `processes` its processes and threads together,
    `files` its open files, and `disk_mb` what lies in `/tmp` (MiB).
    """

    memory_mb: int = 1024
    processes: int = 128
    files: int = 256
    disk_mb: int = 64


LIMIT_RANGES = {"memory_mb": (16, 4096), "processes": (1, 512), "files": (16, 4096), "disk_mb": (1, 1024)}
"""The least that a program can do with, and the most that an arena grants to each process of a bot."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `bot.toml` says.

    `command` starts the bot in a copy of its folder; `build`, if any, is run once before that. `ignore` are patterns of
    files that do not belong to the bot. `quick` promises pure Python and less than 1 ms a turn; `fresh` asks for a new
    process for each match.
    """

    name: str
    version: str
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    language: str = ""
    authors: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    quick: bool = False
    fresh: bool = False
    limits: BotLimits = field(default_factory=BotLimits)


def load_manifest(folder: Path) -> Manifest:
    """Read the manifest of the bot in `folder`; raises `ManifestError`."""
    path = folder / MANIFEST_NAME
    if not folder.is_dir():
        raise ManifestError(f"{folder} is not a folder; a bot is a folder with a {MANIFEST_NAME}")
    try:
        table = tomllib.loads(_read(path))
    except FileNotFoundError:
        raise ManifestError(f"{folder} has no {MANIFEST_NAME}; a bot is a folder with one") from None
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise ManifestError(f"{path} is not valid TOML: its lists or tables are nested too deeply") from None
    except ValueError as error:  # not UTF-8, or not TOML
        raise ManifestError(f"{path} is not valid TOML: {error}") from None
    try:
        return _manifest(table)
    except ManifestError as error:
        raise ManifestError(f"{path}: {error}") from None


def _read(path: Path) -> str:
    """The text of a manifest; a pipe or a device is not read, since that might never end."""
    if path.exists() and not path.is_file():
        raise ManifestError(f"{path} is not an ordinary file")
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ManifestError(f"{path} is longer than {MAX_BYTES} bytes, so it is no manifest")
    text = content.decode().replace("\r\n", "\n")
    if _LONG_KEY.search(text):
        raise ManifestError(f"{path} has a key of {MAX_KEY_PARTS} parts or more, so it is no manifest")
    return text


def _manifest(table: Mapping[str, object]) -> Manifest:
    _known_keys(table, [entry.name for entry in fields(Manifest)])
    for key in ("name", "version", "command"):
        if key not in table:
            raise ManifestError(f"'{key}' is missing")
    command = _strings(table, "command")
    if not command:
        raise ManifestError("'command' is empty; it needs the program that starts the bot")
    return Manifest(
        name=check_label("name", _text(table, "name"), MAX_NAME),
        version=check_label("version", _text(table, "version"), MAX_VERSION),
        command=command,
        build=_strings(table, "build"),
        language=_text(table, "language"),
        authors=_strings(table, "authors"),
        ignore=_strings(table, "ignore"),
        quick=_flag(table, "quick"),
        fresh=_flag(table, "fresh"),
        limits=_limits(table.get("limits", {})),
    )


def _known_keys(table: Mapping[str, object], known: list[str], prefix: str = "") -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean '{prefix}{near[0]}'?" if near else f"known are {', '.join(known)}"
            raise ManifestError(f"unknown key {_shown(prefix + key)}; {hint}")


def _text(table: Mapping[str, object], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise ManifestError(f"'{key}' must be a text in quotes, not {_shown(value)}")
    return value


def _strings(table: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ManifestError(f"'{key}' must be a list of texts in quotes, not {_shown(value)}")
    if any(not item or "\0" in item for item in value):
        raise ManifestError(f"'{key}' holds an empty text or a zero byte")
    return tuple(value)


def _flag(table: Mapping[str, object], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise ManifestError(f"'{key}' must be true or false, not {_shown(value)}")
    return value


def _limits(value: object) -> BotLimits:
    if not isinstance(value, dict):
        raise ManifestError(f"'limits' must be a table, not {_shown(value)}")
    _known_keys(value, [entry.name for entry in fields(BotLimits)], "limits.")
    numbers = {}
    for name, (least, most) in LIMIT_RANGES.items():
        number = value.get(name, getattr(BotLimits(), name))
        if type(number) is not int or number < least:
            raise ManifestError(f"'limits.{name}' must be a whole number from {least} to {most}, not {_shown(number)}")
        if number > most:
            raise ManifestError(f"'limits.{name}' asks for {_shown(number)}; no process of a bot gets more than {most}")
        numbers[name] = number
    return BotLimits(**numbers)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
