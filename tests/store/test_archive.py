from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.store.archive import Archive, ListedMatch
from arena.store.engine import Store
from arena.store.errors import StoreError
from arena.store.ledger import SqlLedger
from arena.tournament.ports import ClaimedBlock
from tests.store.made import opened, plan, play, result, tournament

CUP, LEAGUE = STORED = tournament(), tournament("league", bots=5, seats=3)
PLAN = plan(CUP)


@pytest.fixture
def archive(store: Store) -> Archive:
    return Archive(store)


def all_pages(archive: Archive, limit: int, between: tuple[str, str] | None = None, **which: Any) -> list[ListedMatch]:
    read = partial(archive.between, *between) if between else archive.matches
    found: list[ListedMatch] = []
    while page := read(limit=limit, before=found[-1].id if found else None, **which):
        assert len(page) <= limit
        found += page
    return found


def test_pages_hold_every_match_once_the_latest_first(store: Store, archive: Archive) -> None:
    play(store, CUP, blocks=3)
    play(store, LEAGUE)
    play(store, CUP)
    found = all_pages(archive, 7)
    assert [match.id for match in found] == sorted((match.id for match in found), reverse=True)
    assert len({(match.tournament, match.block_id, match.rotation) for match in found}) == len(found)
    assert len(found) == 3 * (len(PLAN) + len(plan(LEAGUE)))


def test_pages_of_a_tournament_or_a_bot_hold_its_matches_only(store: Store, archive: Archive) -> None:
    play(store, CUP, blocks=3)
    play(store, LEAGUE)
    play(store, CUP)
    everything = all_pages(archive, 50)
    bot = CUP.entries[0]
    its = [match for match in everything if bot in [seat.bot for seat in match.seats]]
    cup = [match for match in everything if match.tournament == CUP.id]
    assert 0 < len(its) < len(everything) and 0 < len(cup) < len(everything)
    assert all_pages(archive, 5, bot=bot.name) == its
    assert all_pages(archive, 5, bot=bot.digest.hex()[:9]) == its
    assert all_pages(archive, 5, tournament="cup") == cup
    assert all_pages(archive, 5, tournament=CUP.id, bot=bot.name) == [match for match in its if match in cup]


@pytest.mark.parametrize("cup", [None, "cup"])
def test_pages_between_two_bots_hold_the_matches_in_which_both_sat(
    store: Store, archive: Archive, cup: str | None
) -> None:
    play(store, CUP, blocks=3)
    play(store, LEAGUE)
    play(store, CUP)
    one, other = CUP.entries[1], CUP.entries[3]
    both = [
        match for match in all_pages(archive, 50, tournament=cup) if {one, other} <= {seat.bot for seat in match.seats}
    ]
    assert both
    assert all_pages(archive, 5, between=(one.name, other.digest.hex()[:9]), tournament=cup) == both
    assert all_pages(archive, 5, between=(other.name, one.name), tournament=cup) == both


def test_bots_that_never_met_have_no_matches_between_them(store: Store, archive: Archive) -> None:
    play(store, CUP, blocks=1)
    absent = next(entry for entry in LEAGUE.entries if entry not in CUP.entries)
    assert archive.between(CUP.entries[0].name, absent.name) == ()
    assert archive.between(CUP.entries[0].name, CUP.entries[0].name) == ()


def test_a_name_lists_all_versions_of_a_bot(tmp_path: Path) -> None:
    old, *others = CUP.entries
    new = old._replace(version="2.0", digest=bytes(32))
    cup = tournament("versions", taking_part=(old, new, others[0]))
    with opened(tmp_path / "versions.db", cup) as store:
        play(store, cup)
        everything = all_pages(Archive(store), 50)
        assert all_pages(Archive(store), 4, bot=old.name) == everything
        assert all_pages(Archive(store), 4, bot="0" * 64) == everything


def test_an_unknown_bot_is_refused(store: Store, archive: Archive) -> None:
    for name in ("nobody", "f" * 64, ""):
        with pytest.raises(StoreError, match="no bot"):
            archive.matches(bot=name)


def test_a_listed_match_is_what_was_stored(store: Store, archive: Archive) -> None:
    (block,) = play(store, CUP, blocks=1)
    stored = result(ClaimedBlock(block, 1)).matches
    for listed, match in zip(archive.matches(), reversed(stored), strict=True):
        assert (listed.rotation, listed.digest, listed.deals) == (match.rotation, match.digest, match.deals)
        assert [(seat.bot.digest, *seat[1:]) for seat in listed.seats] == list(match.seats)


def test_a_match_is_found_by_the_beginning_of_its_address(store: Store, archive: Archive) -> None:
    play(store, CUP)
    block = PLAN[4]
    match = result(ClaimedBlock(block, 1)).matches[2]
    hexes = block.block_id.hex()
    for address in (f"{CUP.id}/{hexes}/2", f"cup/{hexes[:11]}/2", f"{CUP.id[:5]}/{hexes[:6]}/2", f"{hexes[:6]}/2"):
        found = archive.find(address)
        assert found == (CUP.id, block, 2, 1, match.digest, match.record)


def test_the_attempt_of_a_match_is_the_one_that_was_stored(store: Store, archive: Archive) -> None:
    ledger = SqlLedger(store)
    for _ in range(2):
        with ledger.lead(CUP.id) as epoch:
            (claimed,) = ledger.claim(CUP.id, epoch, 1)
    with ledger.lead(CUP.id) as epoch:
        ledger.claim(CUP.id, epoch, 1)
        assert ledger.complete(CUP.id, epoch, result(claimed))
    assert claimed.attempt == 2
    assert archive.find(f"cup/{claimed.block.block_id.hex()}/0").attempt == 2


def test_an_address_that_names_no_match_or_several_is_refused(store: Store, archive: Archive) -> None:
    play(store, CUP)
    hexes = PLAN[0].block_id.hex()
    with pytest.raises(StoreError, match="is not the address of a match"):
        archive.find("cup/first/0")
    with pytest.raises(StoreError, match="there is no match"):
        archive.find(f"cup/{hexes}/3")
    with pytest.raises(StoreError, match="there is no tournament"):
        archive.find(f"nothing/{hexes}/0")
    first = next(digit for digit in "0123456789abcdef" if sum(block.block_id.hex()[0] == digit for block in PLAN) > 1)
    with pytest.raises(StoreError, match="could be several matches"):
        archive.find(f"cup/{first}/0")


def test_nothing_of_a_block_is_found_before_it_is_done(store: Store, archive: Archive) -> None:
    ledger = SqlLedger(store)
    with ledger.lead(CUP.id) as epoch:
        (claimed,) = ledger.claim(CUP.id, epoch, 1)
        for block in (claimed.block, PLAN[1]):
            with pytest.raises(StoreError, match="is not finished"):
                archive.find(f"cup/{block.block_id.hex()}/0")
        assert archive.matches() == () and list(archive.records(CUP.id)) == []


def test_all_records_come_in_plan_order_as_of_the_start(store: Store, archive: Archive) -> None:
    many = tournament("many", bots=8, seats=3)
    with opened(store.path, many) as store:
        ledger = SqlLedger(store)
        with ledger.lead(many.id) as epoch:
            claims = ledger.claim(many.id, epoch, 1000)
            for claimed in reversed(claims[1::2]):
                ledger.complete(many.id, epoch, result(claimed))
            records = archive.records(many.id)
            first = next(records)
            for claimed in claims[::2]:
                ledger.complete(many.id, epoch, result(claimed))
    found = [first, *records]
    expected = [(claimed.block, match) for claimed in claims[1::2] for match in result(claimed).matches]
    assert len(expected) > 100
    assert [(one.block, one.rotation, one.record) for one in found] == [
        (block, match.rotation, match.record) for block, match in expected
    ]


def test_the_blocks_of_a_tournament_come_in_parts_whole_and_in_plan_order(store: Store, archive: Archive) -> None:
    play(store, LEAGUE, 4)
    paged = list(archive.blocks(LEAGUE.id, limit=3))
    while blocks := archive.blocks(LEAGUE.id, after=paged[-1].ordinal, limit=3):
        paged += blocks
    assert [block.ordinal for block in paged] == [0, 1, 2, 3]
    assert [match for block in paged for match in block.matches] == list(archive.records(LEAGUE.id))
    assert all([match.rotation for match in block.matches] == [0, 1, 2] for block in paged)
