"""Turns that are asked outside of any match: where they come from, and how they are put to a bot."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import NamedTuple

from arena.bots.conformance import ImpossibleTurn, judge, read_question
from arena.bots.conformance.interview import Interview
from arena.bots.conformance.judging import Judgement
from arena.bots.errors import StartError
from arena.bots.launcher import Launcher
from arena.cli.errors import CommandFailed, Misuse
from arena.cli.given import find, ready
from arena.cli.places import results
from arena.fleet.examining import Given, players
from arena.match.again import table_at
from arena.match.limits import Limits
from arena.match.player import CallResult, Question
from arena.match.record import TurnRecord
from arena.store.exporting import read_record
from arena.tournament.labels import labels
from arena.wire.codec import TableEncoder, Undecodable, read_turns

MOST_BYTES = 2**22
"""No file of turns is longer."""

MOST_MS = 3_600_000
"""Nobody waits longer for a turn, whatever it says."""


class Asked(NamedTuple):
    """The questions of one call, as bytes too.

    `names` are those of the bots by seat and `recorded` is the turn as it was played, for a turn of a match.
    """

    requests: tuple[bytes, ...]
    questions: tuple[Question, ...]
    where: str
    names: tuple[str, ...] = ()
    recorded: TurnRecord | None = None


class Answered(NamedTuple):
    """What came back: from whom, one judgement for each question, and what the bot had printed."""

    given: Given
    result: CallResult
    judgements: tuple[Judgement, ...]
    output: str


def from_file(path: Path) -> Asked:
    """The turns in a file. Raises Misuse that says what is wrong with it."""
    try:
        with path.open("rb") as file:
            requests = read_turns(file.read(MOST_BYTES).decode())
        return Asked(requests, tuple(map(read_question, requests)), str(path))
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Misuse(f"{path} is not UTF-8, so it holds no turn") from None
    except Undecodable as error:
        raise Misuse(f"{path}: {error}") from None
    except ImpossibleTurn as error:
        raise Misuse(f"{path}: no match has such a turn: {error}") from None


def from_match(address: str, turn: int) -> Asked:
    """A turn of a finished match as it was asked then, but for the number of its table. Raises StoreError, Misuse."""
    with results() as store:
        found = store.matches.find(address)
        named = labels(store.tournaments.tournament(found.tournament).tournament.entries)
    record = read_record(found)
    try:
        table = table_at(record, turn, TableEncoder(), lambda: secrets.randbits(64))
    except IndexError:
        count = sum(1 for _ in record.turns())
        raise Misuse(f"there is no turn {turn} in this match: choose one of 0 to {count - 1}") from None
    except ValueError as error:
        raise CommandFailed(f"match {address} cannot be played again: {error}; `arena verify` tells more") from None
    request = table.request(table.bank_ms)
    names = tuple(named[bot] for bot in record.seats)
    recorded = list(record.turns())[turn]
    return Asked((request,), (read_question(request),), f"turn {turn} of {address}", names, recorded)


def put(asked: Asked, bot: str, remotes: Path | None, launcher: Launcher) -> Answered:
    """Put the questions to a bot in one call, on the time that they give. Raises what `find` and `ready` raise."""
    given = ready(find(bot, remotes, launcher), launcher)
    with Interview(players(given, launcher), limits=_limits(asked.questions[0])) as interview:
        try:
            interview.start()
        except StartError as error:
            raise StartError(f"{given.label} cannot be started: {error}") from None
        result = interview.ask(asked.requests)
        output = interview.player.last_output()
    return Answered(given, result, tuple(judge(question, result) for question in asked.questions), output)


def _limits(question: Question) -> Limits:
    """The time of a turn; the usual one where the question leaves it open."""
    turn_ms, bank_ms = min(question.turn_limit_ms, MOST_MS), min(question.bank_ms, MOST_MS)
    return Limits(turn_ms or Limits().turn_ms, bank_ms)
