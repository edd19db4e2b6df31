"""Plans that grow: after a round is settled the format plans the next one, whatever happened to the arena meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.fleet.campaign import Campaign, Planned
from arena.fleet.engine import BlockJob, Outcome, OutcomeKind, Progress
from arena.settings import url_of
from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.planning import next_round
from arena.tournament.ports import BlockState, LedgerError, Tournament
from tests.fleet.running import campaign
from tests.fleet.test_campaign import Scripted, failed, ok
from tests.store import made
from tests.store.recomputed import rows

SWISS = replace(made.tournament("swiss", bots=6, seats=2), format="swiss", deals=1, options={"rounds": 3})
PLANNED = "SELECT round, ordinal, hex(block_id), number, hex(lineup), state FROM block ORDER BY ordinal"


class Killed(BaseException):
    """Stands for the end of the process: nothing after it is done, and only what holds locks lets go."""


class Mortal:
    """A ledger whose process dies before the last of so many of its transactions."""

    def __init__(self, ledger: SqlLedger, lives: int) -> None:
        self._ledger = ledger
        self._lives = lives

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._ledger, name)

        def mortal(*arguments: Any, **named: Any) -> Any:
            if self._lives == 0:
                raise Killed
            self._lives -= 1
            return method(*arguments, **named)

        return mortal


@contextmanager
def opened(path: Path, cup: Tournament) -> Iterator[Store]:
    with open_store(url_of(path), write=True) as store:
        Repository(store).create_tournament(cup, next_round(cup))
        yield store


def everything(path: Path) -> list[Any]:
    return [rows(path, PLANNED), *(rows(path, f"SELECT * FROM {table}") for table in ("pair", "total"))]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "arena.db", SWISS) as store:
        yield store


def test_every_round_is_planned_when_the_one_before_is_settled(store: Store, tmp_path: Path) -> None:
    seen: list[int | str] = []

    def watch(came: Outcome | Progress | Planned) -> None:
        seen.append(came.blocks if isinstance(came, Planned) else "played")

    report = campaign(store, SWISS, Scripted(), watch=watch)
    assert (report.done, report.matches) == (9, 18)
    assert seen == ["played"] * 3 + [3] + ["played"] * 3 + [3] + ["played"] * 3
    assert rows(tmp_path / "arena.db", "SELECT round, count(*) FROM block GROUP BY round") == [(0, 3), (1, 3), (2, 3)]
    assert Repository(store).tournament(SWISS.id).finished is not None


def test_the_next_round_follows_from_the_results_whatever_order_they_came_in(tmp_path: Path) -> None:
    plans = []
    for name, room in (("one", 1), ("other", 3)):
        with opened(tmp_path / name, SWISS) as store:
            campaign(store, SWISS, Scripted(room=room), workers=room, tables=2 * room)
        plans.append(everything(tmp_path / name))
    assert plans[0] == plans[1]


def test_whenever_the_arena_dies_the_plan_and_the_totals_are_those_of_an_unbroken_run(tmp_path: Path) -> None:
    with opened(tmp_path / "whole", SWISS) as store:
        campaign(store, SWISS, Scripted())
    whole, deaths = everything(tmp_path / "whole"), 0
    for lives in (1, 4, 9):
        path = tmp_path / f"broken{lives}"
        with opened(path, SWISS) as store:
            while Repository(store).tournament(SWISS.id).finished is None:
                with suppress(Killed):
                    mortal = Mortal(SqlLedger(store), lives + deaths)
                    Campaign(SWISS, mortal, Scripted(), workers=1, tables=64, watch=lambda _: None).run()
                deaths += 1
        assert everything(path) == whole
    assert deaths > 12


def unstartable(bot: bytes) -> Callable[[BlockJob, bool], Outcome]:
    def judge(block: BlockJob, alone: bool) -> Outcome:
        present = bot in block.rotations[0].seats
        return failed(block, alone, OutcomeKind.ERROR, bot) if present else ok(block, alone)

    return judge


def test_a_tournament_goes_on_without_a_bot_that_was_withdrawn_early(store: Store) -> None:
    bot = SWISS.entries[0].digest
    campaign(store, SWISS, Scripted(unstartable(bot)))
    first, *later = Repository(store).rounds(SWISS.id)
    assert [bool(block.results) for block in first if bot in block.lineup] == [False]
    assert later and not any(bot in block.lineup for one in later for block in one)
    assert Repository(store).tournament(SWISS.id).finished is not None, "nothing is left that it could be restored for"


def test_a_bot_that_was_withdrawn_in_the_last_round_can_be_restored(tmp_path: Path) -> None:
    cup = replace(SWISS, options={"rounds": 1})
    bot, ledger = cup.entries[0].digest, None
    with opened(tmp_path / "one.db", cup) as store:
        campaign(store, cup, Scripted(unstartable(bot)))
        assert Repository(store).tournament(cup.id).waiting()
        ledger = SqlLedger(store)
        with ledger.lead(cup.id) as epoch:
            assert ledger.restore(cup.id, epoch, bot) == 1
        campaign(store, cup, Scripted())
        assert Repository(store).tournament(cup.id).finished is not None


def test_a_block_that_was_given_up_holds_no_round_back(store: Store) -> None:
    poison: list[bytes] = []

    def judge(block: BlockJob, alone: bool) -> Outcome:
        poison.append(block.block_id)
        return failed(block, alone, OutcomeKind.DIED) if block.block_id == poison[0] else ok(block, alone)

    campaign(store, SWISS, Scripted(judge))
    counts = SqlLedger(store).counts(SWISS.id)
    assert (counts[BlockState.DONE], counts[BlockState.QUARANTINED]) == (8, 1)


def test_a_leader_whose_epoch_is_over_plans_nothing(store: Store) -> None:
    class Slow(Scripted):
        """Meanwhile somebody else takes over."""

        def next(self, timeout_s: float) -> Outcome | Progress | None:
            if len(self.waiting[0]) == 1:
                with store.writing() as connection:
                    connection.exec_driver_sql("UPDATE tournament SET epoch = epoch + 1")
            return super().next(timeout_s)

    with pytest.raises(LedgerError, match="taken over"):
        campaign(store, SWISS, Slow(room=1))
    assert len(Repository(store).rounds(SWISS.id)) == 1
