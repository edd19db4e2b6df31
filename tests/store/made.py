"""Tournaments made up for the tests of the store: results are drawn from the block's id, so every run has the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random

from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.settings import url_of
from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.ports import BlockResult, ClaimedBlock, MatchResult, PlannedBlock, SeatResult, Tournament

OPENED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def entries(count: int) -> tuple[Entry, ...]:
    return sort_entries(Entry(f"bot{i}", "1.0", sha256(b"bot %d" % i).digest()) for i in range(count))


def tournament(name: str = "cup", bots: int = 4, seats: int = 3, taking_part: tuple[Entry, ...] = ()) -> Tournament:
    return Tournament(
        id=sha256(name.encode()).hexdigest()[:12],
        name=name,
        format="round-robin",
        seats=seats,
        deals=2,
        variant=Variant(decks=2, penalty=30),
        limits=Limits(turn_ms=250),
        secret=bytes(range(32)),
        beacon="draw",
        beacon_text="7 11 42",
        entries=taking_part or entries(bots),
        sandbox="none",
        opened=OPENED,
    )


def plan(of: Tournament) -> list[PlannedBlock]:
    lineups = [tuple(sorted(entry.digest for entry in lineup)) for lineup in combinations(of.entries, of.seats)]
    return [
        PlannedBlock(sha256(b"%d" % number + b"".join(lineup)).digest(), number, lineup)
        for lineup in lineups
        for number in range(of.deals)
    ]


def result(claimed: ClaimedBlock, faults: bool = True) -> BlockResult:
    """A result with as many matches as seats, ties, forfeits and (if wanted, in half of all blocks) faults."""
    block, attempt = claimed
    chance = Random(block.block_id)
    faulty = chance.random() < 0.5 and faults
    matches = []
    for rotation in range(len(block.lineup)):
        seated = block.lineup[rotation:] + block.lineup[:rotation]
        seats = []
        for bot in seated:
            fault = chance.randrange(3) if faulty else 0
            seats.append(SeatResult(bot, chance.randint(1, 3), chance.randrange(60), fault, fault == 2))
        record = chance.randbytes(1300)
        matches.append(MatchResult(rotation, sha256(record).digest(), record, chance.randrange(9), 40, tuple(seats)))
    return BlockResult(block.block_id, attempt, tuple(matches))


@contextmanager
def opened(path: Path, *tournaments: Tournament) -> Iterator[Store]:
    """A store at `path` with these tournaments and their plans."""
    with open_store(url_of(path), write=True) as store:
        for one in tournaments:
            Repository(store).create_tournament(one, plan(one))
        yield store


def play(store: Store, of: Tournament, blocks: int = 1_000_000) -> list[PlannedBlock]:
    """Lead the tournament and store the results of the next blocks, one after the other."""
    ledger = SqlLedger(store)
    played: list[PlannedBlock] = []
    with ledger.lead(of.id) as epoch:
        while len(played) < blocks and (claims := ledger.claim(of.id, epoch, 1)):
            assert ledger.complete(of.id, epoch, result(claims[0]))
            played.append(claims[0].block)
    return played
