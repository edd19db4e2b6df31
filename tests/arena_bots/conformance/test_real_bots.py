"""Real processes that misbehave are found out by the quick part of a check, each for what it does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from arena.bots.conformance import Check, Finding, Step
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.fleet.lobby import new_player
from arena.match.limits import ProcessLimits
from tests.bots.making import make_scripted

MISBEHAVIOUR: dict[str, tuple[Step, bool, str]] = {
    "protocol:9": (Step.START, True, "speaks protocol 9"),
    "exit:1@3": (Step.TURNS, True, "CRASHED (exited with status 1)"),
    "kill@3": (Step.TURNS, True, "CRASHED (was killed by SIGKILL)"),
    "stale": (Step.TURNS, True, "STALE_TURN"),
    "empty": (Step.TURNS, True, "BAD_REPLY (NO_ACTION)"),
    "no-take": (Step.TURNS, True, "BAD_REPLY (NO_TAKE)"),
    "unknown-card": (Step.TURNS, True, "BAD_REPLY (UNKNOWN_CARD)"),
    "huge": (Step.TURNS, True, "BAD_REPLY (UNREADABLE)"),
    "refuse:9": (Step.TURNS, True, "REFUSED (FAILED_PRECONDITION): no no no"),
    "slow:3000": (Step.TURNS, True, "TIMEOUT"),
    "illegal:EMPTY_DISCARD": (Step.TURNS, True, "ILLEGAL_ACTION (EMPTY_DISCARD)"),
    "illegal:CARD_NOT_HELD": (Step.TURNS, True, "ILLEGAL_ACTION (CARD_NOT_HELD)"),
    "illegal:NOT_A_SET": (Step.TURNS, True, "ILLEGAL_ACTION (NOT_A_SET)"),
    "illegal:CARD_NOT_OPEN": (Step.TURNS, True, "ILLEGAL_ACTION (CARD_NOT_OPEN)"),
    "illegal:CLOSED_DECK_EMPTY": (Step.TURNS, False, "ILLEGAL_ACTION (CLOSED_DECK_EMPTY)"),
    "illegal:DECLARE_ON_FIRST_TURN": (Step.TURNS, True, "ILLEGAL_ACTION (DECLARE_ON_FIRST_TURN)"),
    "hang-together:asked": (Step.BATCH, True, "a call of 50 turns: TIMEOUT"),
}


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    with Launcher(ProcessLimits(shutdown_ms=500)) as launcher:
        yield launcher


def found(launcher: Launcher, bot: Path) -> list[tuple[Step, Finding]]:
    prepared = launcher.prepare(open_folder(bot))
    reports = Check(partial(new_player, prepared, launcher), "scripted", "1").quick()
    return [(report.step, finding) for report in reports for finding in report.findings]


@pytest.mark.slow
@pytest.mark.parametrize("word", MISBEHAVIOUR)
def test_a_misbehaviour_is_found_where_it_shows_first_and_nothing_else_is(
    launcher: Launcher, tmp_path: Path, word: str
) -> None:
    step, error, said = MISBEHAVIOUR[word]
    findings = found(launcher, make_scripted(tmp_path / "fox", word, name="scripted"))
    assert (findings[0][0], findings[0][1].error) == (step, error)
    assert [finding.what for _, finding in findings if said not in finding.what] == []


def test_a_bot_that_plays_well_is_found_guilty_of_nothing(launcher: Launcher, tmp_path: Path) -> None:
    assert found(launcher, make_scripted(tmp_path / "fox", name="scripted")) == []
