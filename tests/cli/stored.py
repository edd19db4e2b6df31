"""Databases with tournaments that were really played (in memory), and the command line run against them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.cli.main import run
from arena.fleet.results import match_result
from arena.settings import DATABASE_VARIABLE
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.ratings import Ratings
from arena.store.repository import Repository
from arena.tournament.planning import next_round
from arena.tournament.ports import BlockResult, ClaimedBlock, Tournament, VoidCause
from tests.tournament.playing import CAREFUL, Manners, play_block

ALL = 1_000_000

FAULTY = Manners(fault_rate=0.005)


def store_tournament(
    path: Path,
    cup: Tournament,
    manners: Manners = CAREFUL,
    *,
    blocks: int = ALL,
    withdrawn: Mapping[bytes, str] | None = None,
    given_up: str = "",
    planned: slice = slice(None),
) -> None:
    """Open a tournament in the database at `path` and play its next `blocks`; finish it when these are all.

    `withdrawn` bots leave before the first block; with a reason in `given_up` the first block fails until quarantined.
    `planned` cuts the plan.
    """
    with open_store(f"sqlite:///{path}", write=True) as store:
        Repository(store).create_tournament(cup, tuple(next_round(cup))[planned])
        ledger = SqlLedger(store)
        with ledger.lead(cup.id) as epoch:
            for bot, reason in (withdrawn or {}).items():
                ledger.withdraw(cup.id, epoch, bot, reason)
            for _ in range(3 if given_up else 0):
                block = ledger.claim(cup.id, epoch, 1)[0].block
                ledger.void(cup.id, epoch, block.block_id, VoidCause.ERROR, given_up, alone=True)
            left = blocks
            while left and (claims := ledger.claim(cup.id, epoch, 1) or _next_claim(ledger, cup, epoch)):
                ledger.complete(cup.id, epoch, block_result(cup, claims[0], manners))
                left -= 1
            if blocks == ALL:
                ledger.finish(cup.id, epoch)


def store_rated(path: Path, cup: Tournament) -> None:
    """Play a tournament, some of its blocks with faults, and keep its ratings in the database at `path`."""
    store_tournament(path, cup, FAULTY)
    with open_store(f"sqlite:///{path}", write=True) as store:
        Ratings(store).keep(cup.id, None)


def block_result(cup: Tournament, claimed: ClaimedBlock, manners: Manners = CAREFUL) -> BlockResult:
    """A claimed block, played."""
    matches = [match_result(record) for record in play_block(cup, claimed.block, manners, claimed.attempt)]
    return BlockResult(claimed.block.block_id, claimed.attempt, tuple(matches))


def _next_claim(ledger: SqlLedger, cup: Tournament, epoch: int) -> tuple[ClaimedBlock, ...]:
    """The first block of the next round, which is added to the plan; nothing when the tournament is over."""
    rounds = ledger.rounds(cup.id)
    if blocks := next_round(cup, rounds, ledger.withdrawn(cup.id)):
        ledger.extend(cup.id, epoch, blocks, len(rounds))
    return ledger.claim(cup.id, epoch, 1)


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


class Shell:
    """Runs command lines in this process, against the database at `path`, on a terminal of 80 columns."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = path
        self._capsys = capsys
        monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{path}")
        monkeypatch.setenv("COLUMNS", "80")

    def __call__(self, *arguments: str) -> Said:
        try:
            code = run(list(arguments))
        except SystemExit as ended:
            code = int(ended.code or 0)
        captured = self._capsys.readouterr()
        return Said(code, captured.out, captured.err)
