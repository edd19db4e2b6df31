"""`arena bots list|show|logs|retire|restore` and `arena tournament finish`."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.bots.folders import open_folder
from arena.cli.errors import FAILED, MISUSE
from arena.game.variant import Variant
from arena.settings import DATABASE_VARIABLE
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.store.submissions import Submission, Submissions
from arena.tournament.entries import Entry
from arena.tournament.formats import plan
from arena.tournament.ports import BlockResult, BotEvent, BotEventKind, SeatResult, VoidCause
from tests.bots.making import make_bot
from tests.cli.conftest import CUP, RUNNING
from tests.cli.stored import Shell, store_tournament
from tests.store.made import result
from tests.tournament.playing import bots, tournament

OPEN = replace(tournament(bots(4), 3, Variant(threshold=25)), id="open01", name="Open")
BAD = OPEN.entries[1]
HAND = "my hand: Ks Kd \x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}"
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def waiting(empty_shell: Shell) -> Shell:
    """A tournament that was played but for the blocks of a bot that could not be started."""
    store_tournament(empty_shell.path, OPEN, withdrawn={BAD.digest: "it exits"}, blocks=1)
    return empty_shell


def log(path: Path, events: Sequence[BotEvent]) -> None:
    """Let the next block be void, with these events."""
    with open_store(f"sqlite:///{path}", write=True) as store:
        ledger = SqlLedger(store)
        with ledger.lead(OPEN.id) as epoch:
            block = ledger.claim(OPEN.id, epoch, 1)[0].block.block_id
            its_own = [event._replace(block_id=block) if event.rotation is not None else event for event in events]
            ledger.void(OPEN.id, epoch, block, VoidCause.ERROR, "no room", its_own, alone=True)


def test_every_bot_that_ever_entered_is_listed_with_its_sums(shell: Shell) -> None:
    listed = shell("bots", "list", "--json").json
    ranked = {row["id"]: row for name in (CUP.id, RUNNING.id) for row in shell("rankings", name, "--json").json}
    assert [bot["name"] for bot in listed] == sorted(entry.name for entry in CUP.entries)
    assert {bot["id"] for bot in listed} == ranked.keys()
    assert {bot["tournaments"] for bot in listed} == {2}
    cup = {row["id"]: row for row in shell("rankings", CUP.id, "--json").json}
    running = {row["id"]: row for row in shell("rankings", RUNNING.id, "--json").json}
    for bot in listed:
        for field in ("matches", "faults", "fault_matches"):
            assert bot[field] == cup[bot["id"]][field] + running[bot["id"]][field]
        assert bot["withdrawn"] == []
    assert listed[0]["name"] in shell("bots", "list").out


def test_without_a_database_no_bot_is_listed(empty_shell: Shell) -> None:
    assert empty_shell("bots", "list", "--json").json == []
    assert empty_shell("bots", "list").code == 0
    assert not empty_shell.path.exists()


def test_a_bot_is_shown_with_how_it_fared_in_each_tournament(shell: Shell) -> None:
    (bot,) = shell("bots", "show", CUP.entries[0].name, "--json").json
    assert [one["id"] for one in bot["fared"]] == [RUNNING.id, CUP.id]
    assert bot["matches"] == sum(one["matches"] for one in bot["fared"])
    shown = shell("bots", "show", CUP.entries[0].digest.hex()[:8]).out
    assert CUP.id in shown and RUNNING.id in shown and CUP.entries[0].digest.hex() in shown


@pytest.mark.parametrize("command", ["show", "logs", "restore"])
def test_a_bot_that_never_entered_is_misuse(shell: Shell, command: str) -> None:
    said = shell("bots", command, "nobody")
    assert said.code == MISUSE
    assert "no bot 'nobody' was submitted or has entered a tournament: `arena bots list`" in said.err


def test_an_author_reads_what_happened_and_strange_signs_do_no_harm(waiting: Shell) -> None:
    start = BotEvent(BAD.digest, BotEventKind.NOT_STARTED, NOW, reason="exited: boom \x1b", output=f"one\n{HAND}")
    waiting("bots", "restore", BAD.name)
    log(waiting.path, [start])
    shown = waiting("bots", "logs", BAD.name).out
    assert (
        "not started" in shown and "withdrawn" in shown and "void" in shown and "    one\n    my hand: Ks Kd " in shown
    )
    assert "\x1b" not in shown and "\N{RIGHT-TO-LEFT OVERRIDE}" not in shown
    said = waiting("bots", "logs", BAD.name, "--json")
    assert "\x1b" not in said.out
    assert [event["output"] for event in said.json if event["event"] == "not started"] == [["one", HAND]]
    assert waiting("bots", "logs", OPEN.entries[0].name, "--json").json != said.json


def test_what_may_tell_of_an_open_block_is_kept_back_and_that_is_said(empty_shell: Shell) -> None:
    bot = OPEN.entries[0]
    store_tournament(empty_shell.path, OPEN, blocks=0)
    log(empty_shell.path, [BotEvent(bot.digest, BotEventKind.FAULT, NOW, "REFUSED", "x", HAND, rotation=0, turn=3)])
    for json in ([], ["--json"]):
        said = empty_shell("bots", "logs", bot.name, *json)
        assert "Ks Kd" not in said.out
        assert "1 entry is kept back until all blocks that were in play then are complete" in said.err
    with open_store(f"sqlite:///{empty_shell.path}", write=True) as store:
        ledger = SqlLedger(store)
        with ledger.lead(OPEN.id) as epoch:
            for claimed in ledger.claim(OPEN.id, epoch, 1):
                ledger.complete(OPEN.id, epoch, result(claimed))
    said = empty_shell("bots", "logs", bot.name)
    assert "Ks Kd" in said.out and said.err == ""
    assert "fault REFUSED" in said.out and "/0, turn 3" in said.out


def test_a_tournament_with_a_withdrawn_bot_keeps_its_secret_and_says_what_can_be_done(waiting: Shell) -> None:
    shown = waiting("tournament", "show", "--json")
    assert (shown.json["finished"], shown.json["secret"]) == (None, None)
    told = " ".join(waiting("tournament", "show").out.split())
    for command in ("bots restore NAME", f"tournament resume {OPEN.id}", f"tournament finish {OPEN.id}"):
        assert f"`arena {command}`" in told
    resumed = waiting("tournament", "resume")
    assert resumed.code == 0 and "Not played: 3 blocks of withdrawn bots" in resumed.err
    assert "3 of" not in resumed.err


def test_a_tournament_of_which_nothing_can_be_played_has_failed_however_often_it_is_resumed(empty_shell: Shell) -> None:
    cup = replace(OPEN, id="void")
    store_tournament(empty_shell.path, cup, withdrawn={entry.digest: "broken" for entry in cup.entries}, blocks=0)
    resumed = empty_shell("tournament", "resume", "void")
    assert (resumed.code, resumed.out) == (FAILED, "")
    assert "no block of tournament void was played" in resumed.err and "Not played: " in resumed.err
    exported = empty_shell("export", "void", "--out", "-")
    assert exported.code == FAILED and "`arena bots restore NAME`" in exported.err
    assert empty_shell("tournament", "finish", "void").code == 0
    assert empty_shell("tournament", "resume", "void").code == FAILED
    exported = empty_shell("export", "void", "--out", "-")
    assert exported.code == FAILED and "resume" not in exported.err
    assert "was finished without a block that was played" in exported.err


def test_a_restored_bots_blocks_are_to_be_played_and_the_secret_stays_secret(waiting: Shell) -> None:
    said = waiting("bots", "restore", BAD.name)
    assert f"{BAD.name} 1.0 is back: 3 more blocks to play, `arena tournament resume {OPEN.id}`" in said.out
    shown = waiting("tournament", "show", "--json").json
    assert shown["blocks"]["todo"] == 3 and shown["blocks"]["withdrawn"] == 0
    assert shown["secret"] is None
    assert '"secret":null' in waiting("export", OPEN.id, "--out", "-").out
    assert waiting("bots", "list", "--json").json[1]["withdrawn"] == []
    again = waiting("bots", "restore", BAD.name)
    assert again.code == MISUSE and "is neither retired nor withdrawn" in again.err


def test_a_finished_tournament_shows_its_secret_and_takes_nobody_back(waiting: Shell) -> None:
    assert waiting("tournament", "finish").code == 0
    assert waiting("tournament", "show", "--json").json["secret"] == OPEN.secret.hex()
    for where in ([], ["--tournament", OPEN.id]):
        said = waiting("bots", "restore", BAD.name, *where)
        assert said.code == FAILED
        assert f"was withdrawn from {OPEN.id}, which is finished: the secret behind the cards is free" in said.err
        assert said.err.count("\n") == 1
    assert waiting("tournament", "show", "--json").json["blocks"]["withdrawn"] == 3


def test_what_is_still_to_be_played_cannot_be_finished(shell: Shell) -> None:
    said = shell("tournament", "finish", RUNNING.id)
    assert said.code == FAILED
    assert "is not finished: 3 blocks are still to be played" in said.err


@pytest.fixture
def forfeiting(empty_shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A bot `fox` in my_bots/ that forfeited 11 of its last 20 matches against `hare`, of which there is no folder."""
    fox = open_folder(make_bot(tmp_path / "my_bots" / "fox", ["python", "main.py"]))
    entries = (Entry("fox", "1", fox.digest), Entry("hare", "1", bytes(32)))
    cup = replace(tournament(entries, 2, Variant()), id="past", deals=10)
    with open_store(f"sqlite:///{empty_shell.path}", write=True) as store:
        Repository(store).create_tournament(
            cup, plan(cup.format, cup.entries, cup.seats, cup.deals, cup.variant, cup.limits)
        )
        ledger = SqlLedger(store)
        with ledger.lead(cup.id) as epoch:
            for number, claimed in enumerate(ledger.claim(cup.id, epoch, 10)):
                whole = result(claimed, faults=False)
                matches = tuple(
                    match._replace(
                        seats=tuple(
                            SeatResult(seat.bot, 1, 0, 0, seat.bot == fox.digest and number + 10 * match.rotation < 11)
                            for seat in match.seats
                        )
                    )
                    for match in whole.matches
                )
                ledger.complete(cup.id, epoch, BlockResult(whole.block_id, claimed.attempt, matches))
            ledger.finish(cup.id, epoch)
    monkeypatch.chdir(tmp_path)
    return empty_shell


FEW = ("tournament", "run", "--seats", "8")
"""There are never so many quick bots here, so that the command only tells who would play."""


def test_a_bot_that_forfeits_most_of_its_matches_is_left_out_by_name_unless_it_is_named(forfeiting: Shell) -> None:
    said = forfeiting(*FEW)
    assert "Left out: fox 1 (forfeited 11 of its last 20 matches)" in said.err
    assert "fox" not in said.err.partition("Left out")[0]
    named = forfeiting(*FEW, "my_bots/fox").err
    assert "Left out" not in named and "fox 1" in named
    assert "Forfeited 11 of its last 20 matches." in forfeiting("bots", "show", "fox").out


def test_a_restored_bot_is_no_longer_left_out(forfeiting: Shell) -> None:
    said = forfeiting("bots", "restore", "fox")
    assert said.out == "fox 1 takes part in new tournaments again, whatever it forfeited.\n"
    assert "Left out" not in forfeiting(*FEW).err
    assert "fox 1" in forfeiting(*FEW).err


@pytest.fixture
def submitted(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Two versions of `fox` of ann and a bot of bob's at an address, beside the tournaments; none has played."""
    path = tmp_path / "arena.db"
    shutil.copy(shell.path, path)
    monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{path}")
    fox = Submission("fox", "1.0", bytes([1] * 32), "ann", "", NOW)
    with open_store(f"sqlite:///{path}", write=True) as store:
        for one in (fox, fox._replace(digest=bytes([2] * 32)), _far(fox)):
            Submissions(store).add(one, {})
    return shell


def _far(fox: Submission) -> Submission:
    return fox._replace(name="far", digest=bytes([3] * 32), owner="bob", address="grpc://far:1")


def test_what_was_submitted_is_listed_with_its_owner_before_it_has_played(submitted: Shell) -> None:
    listed = {bot["id"][:2]: bot for bot in submitted("bots", "list", "--json").json}
    facts = ("name", "version", "owner", "address", "remote", "retired", "tournaments", "fault_share")
    assert [listed["01"][fact] for fact in facts] == ["fox", "1.0", "ann", None, False, None, 0, None]
    assert [listed["03"][fact] for fact in facts] == ["far", "1.0", "bob", "grpc://far:1", True, None, 0, None]
    assert listed["02"]["version"] == "1.0+2" and listed["01"]["submitted"].startswith("2026-01-02T03:04:05")
    assert {bot["owner"] for bot in listed.values() if bot["name"] not in ("fox", "far")} == {None}
    shown = submitted("bots", "list").out
    assert "of ann" in shown and max(map(len, shown.splitlines())) <= 80


def test_a_bot_that_was_only_submitted_has_no_log_yet(submitted: Shell) -> None:
    assert submitted("bots", "logs", "fox").out == "Nothing has happened to it that is shown here.\n"
    assert submitted("bots", "logs", "fox", "--json").json == []


def test_a_bot_that_was_only_submitted_is_shown(submitted: Shell) -> None:
    shown = submitted("bots", "show", "fox").out
    assert shown.count("Submitted by ann on 2026-01-02 03:04.\nIt has entered no tournament yet.") == 2
    assert "Submitted by bob on 2026-01-02 03:04 at grpc://far:1." in submitted("bots", "show", "far@1.0").out
    assert submitted("bots", "show", "0202020202", "--json").json[0]["fared"] == []


def test_a_retired_bot_is_called_so_until_it_is_restored(submitted: Shell) -> None:
    assert submitted("bots", "retire", "fox@1.0+2").out.splitlines() == [
        "Retired fox 1.0+2: tournaments to come play without it.",
        "In its place they play fox 1.0.",
    ]
    assert submitted("bots", "retire", "fox").out == "Retired fox 1.0: tournaments to come play without it.\n"
    assert "of ann, retired" in submitted("bots", "list").out
    assert "it enters no new tournament" in submitted("bots", "show", "fox").out
    again = submitted("bots", "retire", "fox")
    assert (again.code, "fox is retired already: `arena bots restore fox`" in again.err) == (MISUSE, True)
    assert submitted("bots", "restore", "fox").out.splitlines() == [
        "fox 1.0 takes part in new tournaments again.",
        "fox 1.0+2 takes part in new tournaments again.",
    ]
    assert "retired" not in submitted("bots", "list").out
    assert submitted("bots", "restore", "fox").code == MISUSE


def test_only_what_was_submitted_is_retired(submitted: Shell) -> None:
    said = submitted("bots", "retire", CUP.entries[0].name)
    assert said.code == MISUSE
    assert "was submitted, and only such bots are retired: `arena bots list`" in said.err
