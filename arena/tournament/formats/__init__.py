"""Formats: which lineups meet, round by round; pure functions of the entries and of what was settled.

Equal entries and equal results give an equal plan. Read `base.py` (what a format is), then `round_robin.py` (a plain
one) and `swiss.py` (one that looks at results); `planning.py` turns lineups into blocks, `registry.py` lists them all.
"""

from arena.tournament.formats.base import Format, PlanError
from arena.tournament.formats.planning import checked_format, format_named, next_blocks, plan
from arena.tournament.formats.registry import FORMATS

__all__ = [
    "FORMATS",
    "Format",
    "PlanError",
    "checked_format",
    "format_named",
    "next_blocks",
    "plan",
]
