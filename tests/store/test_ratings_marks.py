"""The course of ratings as it is kept."""

from __future__ import annotations

import pytest

from arena.store import ratings as ratings_module
from arena.store.engine import Store
from arena.store.ratings import Ratings
from arena.store.ratings_marks import write_marks
from tests.store.made import play, tournament
from tests.store.recomputed import rows

CUP = tournament(bots=5)
STORED = (CUP,)
ANCHOR = CUP.entries[1].digest


def test_what_is_kept_is_what_would_be_computed(store: Store, ratings: Ratings) -> None:
    play(store, CUP)
    computed = ratings.course(CUP.id, ANCHOR)
    ratings.keep(CUP.id, ANCHOR)
    assert rows(store.path, "SELECT count(*) FROM rating_mark") == [(sum(len(mark.ratings) for mark in computed),)]
    assert ratings.course(CUP.id, ANCHOR) == computed == ratings.history(CUP.id, ANCHOR)


def test_with_many_blocks_the_course_is_the_one_that_was_kept_or_none(
    store: Store, ratings: Ratings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings_module, "FEW_BLOCKS", 3)
    play(store, CUP, blocks=4)
    assert ratings.course(CUP.id, ANCHOR) == ()
    ratings.keep(CUP.id, ANCHOR)
    play(store, CUP, blocks=2)
    assert ratings.course(CUP.id, ANCHOR)[-1].blocks == 4


def test_a_course_on_another_scale_is_not_taken_for_this_one(store: Store, ratings: Ratings) -> None:
    play(store, CUP)
    ratings.keep(CUP.id, ANCHOR)
    assert ratings.course(CUP.id, None) == ratings.history(CUP.id, None) != ratings.course(CUP.id, ANCHOR)


def test_an_older_course_never_replaces_a_newer_one(store: Store, ratings: Ratings) -> None:
    play(store, CUP)
    ratings.keep(CUP.id, ANCHOR)
    with store.writing() as connection:
        write_marks(connection, 1, ratings.course(CUP.id, ANCHOR)[:3], {})
    assert ratings.course(CUP.id, ANCHOR) == ratings.history(CUP.id, ANCHOR)
