"""`arena rate`: everything rebuilt from the records, what differs found and mended, whatever happened before."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.errors import FAILED, MISUSE
from arena.game.variant import Variant
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.tournament.ports import Tournament, VoidCause
from tests.cli.stored import FAULTY, Shell, block_result, store_rated, store_tournament
from tests.store.planting import contents, plant
from tests.store.recomputed import rows
from tests.tournament.playing import bots, tournament

CUP = tournament(bots(4), 3, Variant(threshold=25), deals=2)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a tournament whose ratings are kept. Read only."""
    path = tmp_path_factory.mktemp("kept") / "arena.db"
    store_rated(path, CUP)
    return path


@pytest.fixture
def rated(kept: Path, empty_shell: Shell) -> Shell:
    """The command line against a copy of it."""
    shutil.copy(kept, empty_shell.path)
    return empty_shell


def test_what_was_stored_agrees_with_the_records(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, CUP, FAULTY)
    said = empty_shell("rate")
    assert (said.code, said.err) == (0, "")
    assert "the records of 24 matches in 8 blocks: all agrees with what was stored" in " ".join(said.out.split())
    assert "the mean is 1500" in said.out, "the table follows"
    assert empty_shell("rate", "--check").code == 0


def test_the_ratings_that_it_keeps_are_those_that_rankings_computes(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, CUP, FAULTY)
    pages = (["--json"], ["--clean", "--json"], ["--luck", "--json"])
    computed = [empty_shell("rankings", *page).json for page in pages]
    assert rows(empty_shell.path, "SELECT COUNT(*) FROM rating") == [(0,)], "whoever only reads keeps nothing"
    empty_shell("rate")
    assert [empty_shell("rankings", *page).json for page in pages] == computed
    assert rows(empty_shell.path, "SELECT COUNT(*) FROM rating") == [(8,)]


def test_a_check_tells_what_differs_and_mending_mends_it(rated: Shell) -> None:
    sound = contents(rated.path)
    plant(rated.path, "UPDATE total SET faults = 99 WHERE bot = 1")
    checked = rated("rate", "--check")
    assert checked.code == FAILED
    assert "faults was stored as 99, the records say " in checked.out
    assert "1 difference; `arena rate` without --check mends" in " ".join(checked.out.split())
    document = rated("rate", "--json").json
    assert (document["agrees"], document["mended"]) == (False, True)
    assert [(one["field"], one["stored"]) for one in document["differences"]] == [("faults", 99)]
    assert contents(rated.path) == sound


def test_a_record_that_is_damaged_is_named_in_one_line(rated: Shell) -> None:
    plant(rated.path, "UPDATE record SET data = x'00' WHERE match = 7")
    said = rated("rate", "--json")
    assert (said.code, said.out) == (FAILED, "")
    assert "is damaged" in said.err
    assert said.err.count("\n") == 1


def test_it_agrees_after_resumes_voids_withdrawals_and_results_that_came_twice(empty_shell: Shell) -> None:
    cup = replace(CUP, entries=bots(5), deals=2)
    store_tournament(empty_shell.path, cup, FAULTY, blocks=4, given_up="no space left")
    assert empty_shell("rate").code == 0
    resume_badly(empty_shell.path, cup)
    said = empty_shell("rate")
    assert said.code == 0
    assert "all agrees with what was stored" in " ".join(said.out.split())
    assert empty_shell("rankings", "--json").json == empty_shell("rate", "--json").json["bots"]


def resume_badly(path: Path, cup: Tournament) -> None:
    """Play the rest with a void, a result that comes twice, one that comes too late, and a bot that is withdrawn."""
    with open_store(f"sqlite:///{path}", write=True) as store:
        ledger = SqlLedger(store)
        with ledger.lead(cup.id) as epoch:
            (lost,) = ledger.claim(cup.id, epoch, 1)
        with ledger.lead(cup.id) as epoch:
            again, failed, *others = ledger.claim(cup.id, epoch, 5)
            assert again.block == lost.block
            ledger.void(cup.id, epoch, failed.block.block_id, VoidCause.DIED, "gone", alone=True)
            for claimed in reversed(others):
                assert ledger.complete(cup.id, epoch, block_result(cup, claimed, FAULTY))
                assert not ledger.complete(cup.id, epoch, block_result(cup, claimed, FAULTY))
            ledger.withdraw(cup.id, epoch, again.block.lineup[0], "it does not start")
            assert not ledger.complete(cup.id, epoch, block_result(cup, again, FAULTY))
            while claims := ledger.claim(cup.id, epoch, 1):
                assert ledger.complete(cup.id, epoch, block_result(cup, claims[0], FAULTY))


def test_a_tournament_in_progress_can_be_rebuilt(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, CUP, FAULTY, blocks=3)
    assert empty_shell("rate", "--json").json["blocks"] == 3
    assert {row["finished_blocks"] for row in empty_shell("rankings", "--json").json} == {3}


def test_a_tournament_without_a_match_has_nothing_to_rebuild(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, CUP, blocks=0)
    said = empty_shell("rate", "--json")
    assert said.code == 0
    assert (said.json["matches"], said.json["differences"]) == (0, [])
    assert [bot["rating"] for bot in said.json["bots"]] == [None] * 4


@pytest.mark.parametrize(
    "arguments",
    [
        ["--anchor", "bot0=1500"],
        ["--prior", "0"],
        ["--cluster", "match"],
        ["cup", "--from", "results.jsonl"],
        ["--check", "--from", "results.jsonl"],
        ["nothing"],
    ],
)
def test_options_that_do_not_go_together_are_misuse(rated: Shell, arguments: list[str]) -> None:
    said = rated("rate", *arguments)
    assert (said.code, said.out) == (MISUSE, "")
    assert said.err.count("\n") == 1
