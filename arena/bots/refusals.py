"""Which limit a program met that ended because the kernel refused it more: told by its last words and its end."""

from __future__ import annotations

from arena.bots.manifest import BotLimits
from arena.bots.ring import OutputRing
from arena.bots.usage import Exceeded, LimitName

LAST_LINES = 5
LAST_WORDS: tuple[tuple[LimitName, tuple[str, ...]], ...] = (
    ("memory", ("MemoryError", "bad_alloc", "out of memory", "Cannot allocate memory")),
    ("processes", ("can't start new thread", "Resource temporarily unavailable", "Cannot fork")),
    ("files", ("Too many open files", "File too large", "No space left on device", "Disk quota exceeded")),
)
"""What a program says last when it dies of a limit that the kernel held it to."""


def refused(limits: BotLimits, how_it_ended: str, output: OutputRing) -> Exceeded | None:
    """The limit that ended a program, if one did; its end is told as in 'exited with status 1'."""
    if how_it_ended.endswith("SIGXFSZ"):
        return Exceeded("files", f"one of more than {limits.disk_mb} MB")
    if how_it_ended == "exited with status 0":
        return None
    for line in reversed(output.lines()[-LAST_LINES:]):
        for limit, words in LAST_WORDS:
            if any(word in line.text for word in words):
                return Exceeded(limit, f"the kernel refused more than {_granted(limits, limit)}")
    return None


def _granted(limits: BotLimits, limit: LimitName) -> str:
    """What the bot was granted of that."""
    if limit == "memory":
        return f"{limits.memory_mb} MB"
    return f"{limits.processes}" if limit == "processes" else f"{limits.files} open or {limits.disk_mb} MB of them"
