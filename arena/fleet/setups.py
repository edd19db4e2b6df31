"""How workers are set up for the machine that they run on: tables, calls in flight, warm bots and cores."""

from __future__ import annotations

import os
from collections.abc import Mapping

from arena.bots.sandbox import level_named
from arena.fleet.engine import SlotSetup, Source
from arena.match.limits import ProcessLimits
from arena.tournament.ports import Tournament

TABLES_A_SEAT = 128
"""Matches in progress for each seat of a table: enough that every call carries a full batch."""

MEMORY_A_BOT = 64 << 20
"""What a warm bot process is reckoned with, when it is decided how many may stay."""


def usable_cores() -> list[int]:
    """The numbers of the cores that this process may use; just one where the system does not tell."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def default_tables(seats: int) -> int:
    """How many matches a worker has in progress at once at tables of `seats`."""
    return TABLES_A_SEAT * seats


def setups(
    tournament: Tournament, bots: Mapping[bytes, Source], *, workers: int, tables: int, limits: ProcessLimits
) -> list[SlotSetup]:
    """One setup a worker; with a core for each worker they are pinned, and each may have its share of calls."""
    cores = usable_cores()
    pinned = hasattr(os, "sched_setaffinity") and workers == len(cores) > 1
    return [
        SlotSetup(
            variant=tournament.variant,
            limits=tournament.limits,
            process_limits=limits,
            bots=dict(bots),
            tables=tables,
            calls=max(1, len(cores) // workers),
            warm=max(tournament.seats**2, _memory() // 2 // workers // MEMORY_A_BOT),
            core=cores[worker] if pinned else None,
            sandbox=level_named(tournament.sandbox),
        )
        for worker in range(workers)
    ]


def _memory() -> int:
    """Bytes of memory of this machine; 0 where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
