"""What the commands say of tournaments that are planned round by round."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.leader import Leader
from arena.cli.live import Live
from arena.game.variant import Variant
from arena.rating.counts import PairTable
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.tournament.planning import next_round
from arena.tournament.ports import Tournament
from tests.cli.stored import Shell, store_tournament
from tests.tournament.playing import bots, tournament

QUICK = Variant(threshold=0, deal_cap=1)
SWISS = replace(tournament(bots(4), 2, QUICK), id="swiss1234567", format="swiss", options={"rounds": 2})
KNOCKOUT = replace(SWISS, format="knockout", options={})
UNTIL = replace(SWISS, format="informed", options={"question": "leader at 95%", "blocks": 24})
FIRST = len(next_round(SWISS))


@pytest.fixture
def swiss(empty_shell: Shell) -> Shell:
    """The command line against a finished tournament of two rounds."""
    store_tournament(empty_shell.path, SWISS)
    return empty_shell


def test_rounds_and_the_formats_own_words_are_shown(swiss: Shell) -> None:
    document = swiss("tournament", "show", "--json").json
    assert (document["rounds"], document["options"]) == (2, {"rounds": 2})
    assert document["closing"].startswith("After round 2 of 2: ")
    shown = swiss("tournament", "show").out
    assert "options         rounds 2" in shown
    assert document["closing"] in " ".join(shown.split())


def test_a_tournament_that_was_planned_as_a_whole_has_no_rounds(shell: Shell) -> None:
    document = shell("tournament", "show", "--json").json
    assert (document["rounds"], document["closing"], document["options"]) == (None, "", {})


def test_a_challenger_goes_by_its_name(empty_shell: Shell) -> None:
    challenger = SWISS.entries[1]
    gauntlet = replace(SWISS, format="gauntlet", options={"challenger": [challenger.digest.hex()]})
    store_tournament(empty_shell.path, gauntlet, blocks=0)
    assert f"challenger {challenger.name} 1.0" in empty_shell("tournament", "show").out


@pytest.mark.parametrize("cup", [SWISS, KNOCKOUT, UNTIL], ids=lambda cup: cup.format)
def test_every_round_is_exported_and_holds(cup: Tournament, empty_shell: Shell, tmp_path: Path) -> None:
    store_tournament(empty_shell.path, cup)
    assert "Everything holds" in empty_shell("verify", SWISS.id).out
    assert empty_shell("export", SWISS.id, "--out", str(tmp_path / "x.jsonl")).code == 0
    report = empty_shell("verify", str(tmp_path / "x.jsonl"), "--json").json
    assert (report["ok"], report["problems"]) == (True, [])
    assert report["blocks"] > FIRST


def test_a_running_tournament_holds_as_far_as_it_went(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, SWISS, blocks=FIRST + 1)
    assert "Everything holds" in empty_shell("verify", SWISS.id).out


@pytest.mark.parametrize("last", [True, False])
def test_a_block_of_a_later_round_that_was_taken_away_is_missed(swiss: Shell, last: bool) -> None:
    with closing(sqlite3.connect(swiss.path)) as database:
        (block,) = database.execute("SELECT key FROM block ORDER BY ordinal DESC").fetchone()
        where = (
            f"block = {block}" if last else f"block IN (SELECT key FROM block WHERE round = 1 AND key >= {block} - 9)"
        )
        for table in ("seat", "record"):
            database.execute(f"DELETE FROM {table} WHERE match IN (SELECT id FROM match WHERE {where})")
        database.execute(f"DELETE FROM block WHERE key IN (SELECT block FROM match WHERE {where})")
        database.execute(f"DELETE FROM match WHERE {where}")
        database.commit()
    said = swiss("verify", SWISS.id)
    assert said.code == 1
    assert "is planned, but missing" in said.out


def test_a_question_whose_budget_ended_is_said_to_be_open(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, UNTIL)
    said = " ".join(empty_shell("tournament", "resume").out.split())
    assert "Open after 24 blocks: it looks as if" in said
    assert "of 3 comparisons are sure" in said
    with open_store(f"sqlite:///{empty_shell.path}", write=False) as store:
        assert Live(UNTIL, SqlLedger(store), Leader(UNTIL, PairTable.of([], []))).words().endswith(" of 3 sure")


def test_nobody_finishes_a_tournament_between_two_rounds(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, SWISS, blocks=FIRST)
    said = empty_shell("tournament", "finish")
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert "its next round is still to be planned" in said.err
    assert empty_shell("tournament", "show", "--json").json["secret"] is None
