"""The bots that ever entered, and who of them forfeits too often."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.store.bots import LAST_MATCHES, Bots
from arena.store.engine import Store
from arena.store.errors import StoreError
from arena.store.ledger import SqlLedger
from arena.store.repository import Repository
from arena.tournament.ports import BlockResult, SeatResult
from tests.store.made import plan, play, result, tournament

CUP, LEAGUE = tournament(), tournament("league", bots=5, seats=2)
DUEL = replace(tournament("duel", bots=2, seats=2), deals=15)
STORED = (CUP, LEAGUE, DUEL)
BOT, OTHER = DUEL.entries


def play_duel(store: Store, forfeits: list[int], order: int = 1) -> None:
    """Play the next blocks of two matches; in each the bot forfeits so many. They are stored in order or (-1) not."""
    ledger = SqlLedger(store)
    with ledger.lead(DUEL.id) as epoch:
        claims = list(zip(ledger.claim(DUEL.id, epoch, len(forfeits)), forfeits, strict=True))
        for claimed, count in claims[::order]:
            whole = result(claimed, faults=False)
            matches = [
                match._replace(
                    seats=tuple(
                        SeatResult(seat.bot, 1, 0, 0, seat.bot == BOT.digest and match.rotation < count)
                        for seat in match.seats
                    )
                )
                for match in whole.matches
            ]
            assert ledger.complete(DUEL.id, epoch, BlockResult(whole.block_id, claimed.attempt, tuple(matches)))


def test_a_bot_is_listed_with_all_its_tournaments_and_sums(store: Store) -> None:
    play(store, CUP)
    found = Bots(store).participations(BOT.name)
    assert [(one.bot, one.tournament) for one in found] == [(BOT, cup.id) for cup in (DUEL, LEAGUE, CUP)]
    assert [one.matches for one in found] == [0, 0, 3 * sum(BOT.digest in block.lineup for block in plan(CUP))]
    assert {one.bot for one in Bots(store).participations()} == {*CUP.entries, *LEAGUE.entries}
    assert Bots(store).participations(BOT.digest.hex()[:9]) == found


def test_a_bot_that_never_entered_is_named(store: Store) -> None:
    with pytest.raises(StoreError, match="no bot 'fox' has entered a tournament"):
        Bots(store).participations("fox")


@pytest.mark.parametrize("order", [1, -1])
def test_forfeits_are_counted_among_the_last_matches_in_plan_order(store: Store, order: int) -> None:
    play_duel(store, [2, 2, *[0] * 4, *[1] * 3, 2, 2, 2], order)
    assert Bots(store).recent_forfeits([BOT.digest, OTHER.digest, b"?" * 32]) == {BOT.digest: 3 + 6}
    assert LAST_MATCHES == 20


def test_fewer_matches_than_that_count_as_they_are(store: Store) -> None:
    play_duel(store, [2, 1])
    assert Bots(store).recent_forfeits([BOT.digest]) == {BOT.digest: 3}


def test_earlier_tournaments_count_as_far_as_the_latest_has_too_few_matches(store: Store) -> None:
    play_duel(store, [2] * 15)
    rematch = replace(DUEL, id="rematch", name="rematch")
    Repository(store).create_tournament(rematch, plan(rematch))
    assert Bots(store).recent_forfeits([BOT.digest]) == {BOT.digest: 20}


def test_what_is_forgiven_counts_no_more(store: Store) -> None:
    bots = Bots(store)
    play_duel(store, [2] * 10)
    bots.forgive(BOT.digest)
    assert bots.recent_forfeits([BOT.digest]) == {}
    play_duel(store, [1, 1])
    assert bots.recent_forfeits([BOT.digest]) == {BOT.digest: 2}
