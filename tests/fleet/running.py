"""Runs real tournaments for tests: a store on disk, workers as processes, bots as processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from arena.bots.folders import BotFolder, open_folder
from arena.bots.launcher import Launcher
from arena.bots.remote import RemoteBot
from arena.fleet.campaign import Campaign, CampaignReport
from arena.fleet.engine import Engine
from arena.fleet.local import LocalEngine
from arena.fleet.setups import setups
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from arena.store.repository import Repository
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.planning import next_round
from arena.tournament.ports import Tournament

QUICK = Variant(threshold=0, deal_cap=2)
"""Matches of two deals."""

SAMPLES = Path(__file__).parents[2] / "sample_bots"


def sample(*names: str) -> list[BotFolder]:
    return [open_folder(SAMPLES / name) for name in names]


def open_tournament(
    store: Store,
    bots: Sequence[BotFolder | RemoteBot],
    seats: int,
    deals: int,
    *,
    variant: Variant = QUICK,
    limits: Limits | None = None,
    secret: bytes = bytes(range(32)),
    mirrored: bool = False,
) -> Tournament:
    """Enter the bots and store the plan: a round robin, or `mirrored` two bots with a clone each at tables of four."""
    limits = limits or Limits()
    name, options = ("ab", {"a": bots[0].digest.hex(), "fixed": deals}) if mirrored else ("round-robin", {})
    deals = 1 if mirrored else deals
    entries = sort_entries(Entry(bot.name, bot.version, bot.digest, isinstance(bot, RemoteBot)) for bot in bots)
    tournament = Tournament(
        id=os.urandom(4).hex(),
        name="",
        format=name,
        seats=seats,
        deals=deals,
        variant=variant,
        limits=limits,
        secret=secret,
        beacon="",
        beacon_text="",
        entries=entries,
        sandbox="none",
        opened=datetime.now(UTC),
        options=options,
    )
    Repository(store).create_tournament(tournament, next_round(tournament))
    return tournament


@contextmanager
def local_engine(
    tournament: Tournament,
    bots: Sequence[BotFolder | RemoteBot],
    workers: int = 1,
    tables: int = 64,
    start_ms: int = 5000,
) -> Iterator[LocalEngine]:
    limits = ProcessLimits(start_ms=start_ms, shutdown_ms=500)
    with Launcher(limits) as launcher:
        prepared = {
            bot.digest: bot.access if isinstance(bot, RemoteBot) else launcher.prepare(bot).folder for bot in bots
        }
        engine = LocalEngine(setups(tournament, prepared, workers=workers, tables=tables, limits=limits))
        try:
            yield engine
        finally:
            engine.close()


def campaign(
    store: Store,
    tournament: Tournament,
    engine: Engine,
    workers: int = 1,
    tables: int = 64,
    watch: Callable[[Any], None] = lambda _: None,
) -> CampaignReport:
    ledger = SqlLedger(store)
    return Campaign(tournament, ledger, engine, workers=workers, tables=tables, watch=watch).run()


def slots() -> list[psutil.Process]:
    """The worker processes of this process."""
    return [child for child in psutil.Process().children() if "arena.fleet.slot" in child.cmdline()]


def descendants() -> set[int]:
    """The numbers of all processes below this one."""
    return {child.pid for child in psutil.Process().children(recursive=True)}
