"""The kept rating lists, and everything rebuilt from records."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.rating.counts import MatchResult
from arena.rating.luck import DesignEffect
from arena.rating.report import rate
from arena.rating.results import Block, Results
from arena.rating.widths import Kind
from arena.store.engine import Store
from arena.store.ratings import Ratings
from arena.store.ratings_lists import RatingList
from arena.tournament.ports import ClaimedBlock
from tests.store.made import opened, plan, play, result, tournament
from tests.store.recomputed import rows

CUP = tournament(bots=5)
STORED = (CUP,)
ANCHOR = CUP.entries[1].digest


def block(claimed: ClaimedBlock) -> Block[bytes]:
    """What was stored of a block, as ratings see it."""
    matches = [
        MatchResult(
            tuple(seat.bot for seat in match.seats),
            tuple(seat.place for seat in match.seats),
            tuple(seat.faults > 0 for seat in match.seats),
            tuple(seat.points for seat in match.seats),
            match.deals,
        )
        for match in result(claimed).matches
    ]
    return Block(claimed.block.block_id, tuple(matches))


def test_the_list_of_a_tournament_is_that_of_its_matches(store: Store, ratings: Ratings) -> None:
    played = Results.from_blocks(block(ClaimedBlock(planned, 1)) for planned in play(store, CUP))
    for clean, results in ((False, played), (True, played.clean())):
        found, expected = ratings.current(CUP.id, ANCHOR, clean=clean), rate(results, anchor={ANCHOR: 1500.0})
        assert found.bots == expected.bots
        assert found.summary.design_effect == expected.design_effect
        assert found.summary.seats == expected.seats
        assert found.summary.blocks == len(results.keys)


def test_a_kept_list_is_read_as_it_was_computed(store: Store, ratings: Ratings) -> None:
    play(store, CUP)
    computed = [ratings.current(CUP.id, ANCHOR, clean=clean) for clean in (False, True)]
    ratings.keep(CUP.id, ANCHOR)
    assert rows(store.path, "SELECT COUNT(*) FROM rating") == [(2 * len(CUP.entries),)]
    assert [ratings.current(CUP.id, ANCHOR, clean=clean) for clean in (False, True)] == computed


def plant(path: Path, change: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        assert database.execute(change).rowcount > 0
        database.commit()


def ratings_in(rated: RatingList) -> list[float | None]:
    return [bot.rating for bot in rated.bots]


def test_a_kept_list_is_passed_over_when_more_blocks_are_finished_or_the_anchor_is_another(
    store: Store, ratings: Ratings, path: Path
) -> None:
    play(store, CUP, blocks=6)
    ratings.keep(CUP.id, ANCHOR)
    plant(path, "UPDATE rating SET rating = 7777")
    assert ratings_in(ratings.current(CUP.id, ANCHOR)) == [7777.0] * len(CUP.entries)
    assert 7777.0 not in ratings_in(ratings.current(CUP.id, None))
    play(store, CUP, blocks=1)
    newer = ratings.current(CUP.id, ANCHOR)
    assert 7777.0 not in ratings_in(newer)
    assert newer.blocks == 7


def test_an_anchor_that_did_not_enter_leaves_the_mean_at_1500(store: Store, ratings: Ratings) -> None:
    play(store, CUP)
    rated = ratings.current(CUP.id, b"\0" * 32)
    assert rated.anchor is None
    assert sum(bot.rating or 0.0 for bot in rated.bots) / len(rated.bots) == pytest.approx(1500)


def test_a_tournament_without_a_match_has_bots_without_numbers(ratings: Ratings) -> None:
    ratings.keep(CUP.id, ANCHOR)
    rated = ratings.current(CUP.id, ANCHOR)
    assert [bot.kind for bot in rated.bots] == [Kind.NONE] * len(CUP.entries)
    assert rated.summary.design_effect == DesignEffect(None, None)


def test_the_order_in_which_blocks_are_stored_changes_no_digit(tmp_path: Path, ratings: Ratings, store: Store) -> None:
    from arena.store.ledger import SqlLedger

    play(store, CUP)
    with opened(tmp_path / "other.db", CUP) as other, SqlLedger(other).lead(CUP.id) as epoch:
        for claimed in reversed(SqlLedger(other).claim(CUP.id, epoch, 100)):
            assert SqlLedger(other).complete(CUP.id, epoch, result(claimed))
            assert not SqlLedger(other).complete(CUP.id, epoch, result(claimed))
        assert Ratings(other).current(CUP.id, ANCHOR) == ratings.current(CUP.id, ANCHOR)


def test_tournaments_are_rated_apart(store: Store, tmp_path: Path) -> None:
    league = replace(tournament("league", bots=5), variant=CUP.variant)
    with opened(tmp_path / "two.db", CUP, league) as both:
        play(both, league, blocks=2)
        play(both, CUP)
        play(both, league)
        play(store, CUP)
        assert Ratings(both).current(CUP.id, ANCHOR) == Ratings(store).current(CUP.id, ANCHOR)


def test_a_bot_that_sat_twice_has_two_seats_a_match_and_a_rating(tmp_path: Path) -> None:
    one, other = CUP.entries[:2]
    clones = replace(CUP, entries=(one, one, other))
    with opened(tmp_path / "clones.db", clones) as store:
        play(store, clones)
        Ratings(store).keep(CUP.id, None)
        found = {bot.bot: bot for bot in Ratings(store).current(CUP.id, None).bots}
    assert found[one.digest].seats == 2 * found[one.digest].matches
    assert all(bot.rating is not None for bot in found.values())


def test_of_very_many_blocks_the_ratings_come_at_once_and_intervals_from_the_list_that_is_kept(
    store: Store, ratings: Ratings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.ratings.MANY_BLOCKS", 3)
    play(store, CUP, blocks=6)
    first = ratings.current(CUP.id, ANCHOR, quick=True)
    assert (first.blocks, first.measured) == (6, 0)
    assert {bot.half_width for bot in first.bots} == {None}
    ratings.keep(CUP.id, ANCHOR)
    kept = {bot.bot: bot for bot in ratings.current(CUP.id, ANCHOR, quick=True).bots}
    play(store, CUP)
    quick, whole = (ratings.current(CUP.id, ANCHOR, quick=quick) for quick in (True, False))
    assert (quick.blocks, quick.measured) == (len(plan(CUP)), 6)
    assert (whole.blocks, whole.measured) == (len(plan(CUP)), len(plan(CUP)))
    for one, other in zip(quick.bots, whole.bots, strict=True):
        assert one.rating == pytest.approx(other.rating, abs=1e-6)
        assert one.points_a_deal == pytest.approx(other.points_a_deal)
        fields = ("bot", "place", "component", "blocks", "matches", "seats", "mean_place", "faults", "record")
        assert [getattr(one, field) for field in fields] == [getattr(other, field) for field in fields]
        before = kept[one.bot]
        assert (one.half_width, one.rank, one.kind) == (before.half_width, before.rank, before.kind)
        if one.rating is not None and one.half_width is not None:
            assert (one.low, one.high) == (one.rating - one.half_width, one.rating + one.half_width)
