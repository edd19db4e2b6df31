"""What authors are told of limits is what holds."""

from __future__ import annotations

import re
from pathlib import Path

from arena.bots.building import BUILD_LIMIT_S, BUILD_LIMITS, MOST_FILES
from arena.bots.idle import ALLOWED_SHARE
from arena.bots.manifest import LIMIT_RANGES, BotLimits
from arena.bots.ring import BURST, KEPT_HEAD, KEPT_TAIL, MOST_AT_ONCE, RATE

PAGE = (Path(__file__).parents[2] / "proto" / "README.md").read_text(encoding="utf-8")
SECTION = " ".join(PAGE.partition("## Limits\n")[2].partition("\n## ")[0].split())


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
