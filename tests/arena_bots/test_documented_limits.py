"""What authors are told of limits is what holds."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from arena.bots.archive import MAX_PACKED
from arena.bots.building import BUILD_LIMIT_S, BUILD_LIMITS, MOST_FILES
from arena.bots.idle import ALLOWED_SHARE
from arena.bots.manifest import LIMIT_RANGES, BotLimits, Manifest
from arena.bots.members import MAX_MEMBERS, MAX_UNPACKED, MIB
from arena.bots.names import MAX_NAME, MAX_VERSION
from arena.bots.package import LEFT_OUT
from arena.bots.ring import BURST, KEPT_HEAD, KEPT_TAIL, MOST_AT_ONCE, RATE

PAGE = (Path(__file__).parents[2] / "proto" / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """A section of the page, without its lines."""
    return " ".join(PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0].split())


SECTION, FOLDER = section("Limits"), section("The folder")


def test_the_limits_of_a_manifest_are_listed() -> None:
    rows = re.findall(r"\| `(\w+)` \| [^|]+ \| (\d+) \| (\d+) \|", SECTION)
    assert rows == [(name, str(getattr(BotLimits(), name)), str(most)) for name, (_, most) in LIMIT_RANGES.items()]


def test_what_may_be_printed_is_said() -> None:
    assert f"More than {MOST_AT_ONCE >> 20} MiB printed in one call" in SECTION
    assert f"more than {BURST >> 20} MiB at once and then {RATE >> 20} MiB a second" in SECTION
    assert f"the first {KEPT_HEAD >> 10} KiB and the last {KEPT_TAIL >> 10} KiB" in SECTION


def test_what_a_bot_may_do_between_calls_and_in_a_build_is_said() -> None:
    assert f"more than {ALLOWED_SHARE:.0%}".replace("%", " %") in SECTION
    assert (
        f"{BUILD_LIMIT_S / 60:.0f} minutes, {BUILD_LIMITS.memory_mb >> 10} GiB of memory, and may leave "
        f"{BUILD_LIMITS.disk_mb >> 10} GiB in {MOST_FILES:,} files"
    ) in SECTION


def test_every_key_of_a_manifest_is_listed() -> None:
    cells = re.findall(r"\| (`\w+`(?:, `\w+`)*) \|", FOLDER)
    assert {key for cell in cells for key in re.findall(r"\w+", cell)} == {field.name for field in fields(Manifest)}
    assert f"at most {MAX_NAME} and {MAX_VERSION} characters" in FOLDER


def test_what_belongs_to_a_bot_is_said() -> None:
    assert LEFT_OUT[-1] == ".*" and "but names with a leading dot" in FOLDER
    assert all(f"`{pattern}`" in FOLDER for pattern in LEFT_OUT[:-1])
    assert (
        f"at most {MAX_PACKED // MIB} MB packed and {MAX_UNPACKED // MIB} MB unpacked in {MAX_MEMBERS:,} files"
        in FOLDER
    )
