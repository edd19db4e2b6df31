"""A turn of a recorded match is asked again exactly as it was asked then."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

import pytest

from arena.game.actions import Play
from arena.game.rules import decide, legal_actions
from arena.game.variant import Variant
from arena.match.again import table_at
from arena.match.faults import FaultKind, Verdict
from arena.match.limits import Limits, overrun_ms
from arena.match.record import MatchRecord
from arena.match.table import Chair, Match, Table
from arena.wire.codec import TableEncoder
from tests.tournament.playing import CONTRARY

LIMITS = Limits(turn_ms=100, bank_ms=300, strikes=2, show_names=True)


def played(variant: Variant, seats: int = 3) -> tuple[MatchRecord, list[bytes]]:
    """A match of hasty, slow and faulty seats, and what they were asked."""
    chance = Random(7)
    chairs = tuple(Chair(bytes([seat // 2]) * 32, seat % 2, 1) for seat in range(seats))
    numbers = count(1)
    table = Table(Match(bytes(32), 1, variant, LIMITS, chairs, bytes(range(32))), TableEncoder(), lambda: next(numbers))
    requests = []
    while table.outcome is None:
        requests.append(table.request(table.bank_ms))
        seconds = chance.choice([0.001, 0.05, 0.13])
        fault = chance.random() < 0.04
        actions = list(legal_actions(table.state))
        action = chance.choice([one for one in actions if isinstance(one, Play)] if chance.random() < 0.9 else actions)
        verdict = Verdict(FaultKind.TIMEOUT, "") if fault else decide(table.state, action)
        table.settle(verdict, round(seconds * 1e6), overrun_ms(seconds, 1, LIMITS))
    return table.record(), requests


@pytest.mark.parametrize("variant", [Variant(threshold=150), replace(CONTRARY, threshold=100)])
def test_every_turn_is_asked_as_it_was(variant: Variant) -> None:
    record, requests = played(variant)
    assert any(turn.fault for turn in record.turns())
    for number, request in enumerate(requests):
        numbers = count(1)
        table = table_at(record, number, TableEncoder(), lambda numbers=numbers: next(numbers))  # type: ignore[misc]
        assert table.request(table.bank_ms) == request


@pytest.mark.parametrize("turn", [-1, 10_000])
def test_a_turn_that_there_is_not_is_told(turn: int) -> None:
    record, _ = played(CONTRARY)
    with pytest.raises(IndexError, match="no turn"):
        table_at(record, turn, TableEncoder(), lambda: 1)


def test_a_record_that_cannot_have_been_is_told() -> None:
    record, requests = played(Variant(threshold=30))
    strange = replace(record, seed=bytes(32))
    with pytest.raises(ValueError, match="turn 0 of the record breaks a rule"):
        table_at(strange, len(requests) - 1, TableEncoder(), lambda: 1)
