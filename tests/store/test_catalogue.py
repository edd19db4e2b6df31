"""The list of all bots, and one bot with its versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from arena.store.bots import Bots
from arena.store.catalogue import Catalogue, CataloguedBot
from arena.store.engine import Store
from arena.store.errors import StoreError, UnknownBotError
from arena.store.known import Identity
from arena.store.ledger import SqlLedger
from arena.store.ratings import Ratings
from arena.store.repository import Repository
from arena.store.submissions import Submission, Submissions
from arena.tournament.entries import Entry
from tests.store.made import OPENED, entries, opened, plan, play, tournament

CUP, LEAGUE = tournament(), tournament("league", bots=6, seats=3)
NEW = Submission("bot1", "2.0", b"n" * 32, "anna", "", OPENED + timedelta(days=9))
SHY = Submission("shy_one", "1.0", b"s" * 32, "anna", "grpcs://host:1", OPENED)


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with opened(path, CUP, LEAGUE) as store:
        play(store, CUP)
        play(store, LEAGUE, 4)
        for submission in (NEW, SHY):
            Submissions(store).add(submission, {}, b"package")
        yield store


def everything(store: Store, limit: int) -> list[CataloguedBot]:
    found: list[CataloguedBot] = []
    while page := Catalogue(store).page(limit=limit, after=Identity(*found[-1].version.bot[:3]) if found else None):
        found += page
    return found


def test_pages_hold_every_bot_once_by_name_and_version(store: Store) -> None:
    found = everything(store, 3)
    bots = [one.version.bot for one in found]
    assert bots == sorted({*CUP.entries, *LEAGUE.entries, Entry("bot1", "2.0", NEW.digest, False)} | {bots[-1]})
    assert bots[-1] == Entry("shy_one", "1.0", SHY.digest, True)


def test_sums_are_those_of_all_tournaments(store: Store) -> None:
    for one in everything(store, 50):
        if one.tournaments:
            entered = Bots(store).participations(one.version.bot.digest.hex())
            assert one.tournaments == len(entered)
            assert one.matches == sum(each.matches for each in entered)
            assert one.faults == sum(each.faults for each in entered)
            assert one.fault_matches == sum(each.fault_matches for each in entered)
            assert (one.tournament, one.name) == (entered[0].tournament, entered[0].name)
        else:
            assert one[1:] == (0, 0, 0, 0, "", "", None, None)


def test_the_rating_and_the_withdrawal_are_those_of_the_last_tournament(store: Store) -> None:
    Ratings(store).keep(LEAGUE.id, None)
    Ratings(store).keep(CUP.id, None)
    ledger = SqlLedger(store)
    with ledger.lead(LEAGUE.id) as epoch:
        ledger.withdraw(LEAGUE.id, epoch, LEAGUE.entries[0].digest, "does not start")
    rated = {bot.bot: bot for bot in Ratings(store).current(LEAGUE.id, None).bots}
    for one in everything(store, 50):
        bot = one.version.bot
        assert one.rating == rated.get(bot.digest)
        assert one.withdrawn == ("does not start" if bot == LEAGUE.entries[0] else None)


def test_words_find_names_that_hold_them_in_any_case_and_nothing_by_signs(store: Store) -> None:
    page = Catalogue(store).page(words="HY_", limit=9)
    assert [one.version.bot.name for one in page] == ["shy_one"]
    assert Catalogue(store).page(words="%", limit=9) == ()


def test_a_page_begins_where_the_one_before_ended_also_if_that_bot_is_called_otherwise_too(store: Store) -> None:
    again = SHY._replace(version="2.0", submitted=OPENED + timedelta(1))
    other = tournament("other", bots=2, seats=2, taking_part=(Entry(SHY.name, "0.9", SHY.digest, True), *entries(1)))
    Repository(store).create_tournament(other, plan(other))
    Submissions(store).add(again, {}, b"package")
    assert [one.version.bot for one in everything(store, 1)] == [one.version.bot for one in everything(store, 50)]


def test_versions_of_a_name_begin_with_the_newest_or_with_the_one_that_is_meant(store: Store) -> None:
    old = next(entry for entry in CUP.entries if entry.name == "bot1")
    named = Catalogue(store).versions("bot1")
    assert [one.bot.digest for one in named] == [NEW.digest, old.digest]
    assert [one.owner for one in named] == ["anna", ""]
    assert [one.bot for one in Catalogue(store).versions(old.digest.hex()[:12])] == [one.bot for one in named[::-1]]


def test_a_retired_version_says_since_when(store: Store) -> None:
    Submissions(store).retire([NEW], OPENED + timedelta(days=20))
    assert Catalogue(store).versions("bot1")[0].retired == OPENED + timedelta(days=20)


def test_what_names_no_bot_or_several_is_refused(store: Store) -> None:
    with pytest.raises(UnknownBotError, match="'nobody'"):
        Catalogue(store).versions("nobody")
    twins = [Entry(name, "1", bytes([0xEE]) * 31 + bytes([last])) for name, last in (("x", 1), ("y", 2))]
    Repository(store).create_tournament(replace(tournament("twins"), entries=tuple(twins)), ())
    with pytest.raises(StoreError, match="several"):
        Catalogue(store).versions("ee" * 8)
