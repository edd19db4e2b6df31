"""Ratings are kept when playing ends, however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.keeping import ratings_kept
from arena.fleet.campaign import CampaignStopped
from arena.store.engine import Store
from arena.store.errors import StoreError
from arena.store.ratings import Ratings
from arena.store.repository import Repository
from tests.store.made import opened, play, tournament
from tests.store.recomputed import rows

CUP = tournament()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "arena.db", CUP) as store:
        yield store


def kept_blocks(store: Store) -> list[tuple[int]]:
    return rows(store.path, "SELECT DISTINCT blocks FROM rating_list")


def test_the_end_keeps_the_ratings_of_all_blocks(store: Store) -> None:
    with ratings_kept(Repository(store), CUP.id):
        played = play(store, CUP)
    assert kept_blocks(store) == [(len(played),)]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, CampaignStopped("the disk is full")])
def test_a_stop_keeps_the_ratings_of_what_was_played(store: Store, stop: BaseException) -> None:
    with pytest.raises((KeyboardInterrupt, CampaignStopped)), ratings_kept(Repository(store), CUP.id):
        play(store, CUP, blocks=3)
        raise stop
    assert kept_blocks(store) == [(3,)]


def test_a_stop_does_not_wait_for_the_ratings_of_very_many_blocks(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.keeping.QUICK_BLOCKS", 2)
    with pytest.raises(KeyboardInterrupt), ratings_kept(Repository(store), CUP.id):
        play(store, CUP, blocks=3)
        raise KeyboardInterrupt
    assert kept_blocks(store) == []


def test_a_failure_of_something_else_keeps_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), ratings_kept(Repository(store), CUP.id):
        play(store, CUP, blocks=3)
        raise ZeroDivisionError
    assert kept_blocks(store) == []


def test_ratings_that_cannot_be_kept_do_no_harm(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StoreError("no space left")

    monkeypatch.setattr(Ratings, "keep", fail)
    with ratings_kept(Repository(store), CUP.id):
        play(store, CUP)
    assert kept_blocks(store) == []
