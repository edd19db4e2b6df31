"""What a slot notes of its bots until a block is reported."""

from __future__ import annotations

from arena.fleet.journal import MOST_EVENTS, MOST_OUTPUTS, Journal
from arena.game.variant import Variant
from arena.match.faults import FaultKind, Verdict
from arena.match.limits import Limits
from arena.match.player import CallFailure
from arena.match.table import Chair, Match, Table
from arena.tournament.ports import BotEventKind
from arena.wire.codec import TableEncoder

A, B, ONE, TWO = (bytes([letter]) * 32 for letter in b"ABXY")
ILLEGAL = Verdict(FaultKind.ILLEGAL_ACTION, "NOT_A_SET")
CRASH = CallFailure(FaultKind.CRASHED, "memory", "memory: 812 MB of 512", "the last words")


def table(block: bytes, rotation: int = 0) -> Table:
    chairs = (Chair(A, 0, rotation), Chair(B, 0, rotation))
    match = Match(block, rotation, Variant(), Limits(), chairs, bytes(32))
    return Table(match, TableEncoder(), lambda: 7)


def to_act(at: Table) -> bytes:
    return at.match.chairs[at.state.seat].bot


def journal() -> Journal:
    return Journal(lambda chair: f"printed by {chair.bot[:1].decode()}")


def test_a_fault_bears_its_place_and_what_the_bot_had_printed() -> None:
    notes, here = journal(), table(ONE, 1)
    notes.failure([here], ILLEGAL)
    (event,) = notes.take(ONE)
    assert (event.bot, event.kind, event.fault, event.reason) == (
        to_act(here), BotEventKind.FAULT, "ILLEGAL_ACTION", "NOT_A_SET",
    )  # fmt: skip
    assert (event.block_id, event.rotation, event.turn) == (ONE, 1, here.state.turn)
    assert event.output == f"printed by {to_act(here)[:1].decode()}"


def test_a_failed_call_tells_its_author_the_details() -> None:
    notes = journal()
    notes.failure([table(ONE)], CRASH)
    (event,) = notes.take(ONE)
    assert (event.reason, event.output) == ("memory: 812 MB of 512", "the last words")


def test_a_call_of_many_turns_that_failed_is_no_fault_and_of_no_block() -> None:
    notes = journal()
    notes.failure([table(ONE), table(TWO)], CRASH)
    (event,) = notes.take(TWO)
    assert (event.kind, event.block_id, event.fault) == (BotEventKind.CALL_FAILED, None, "CRASHED")
    assert event.reason.startswith("a call of 2 turns, which were asked again one at a time; memory")


def test_events_travel_once_and_only_with_their_own_block() -> None:
    notes = journal()
    notes.failure([table(ONE)], ILLEGAL)
    notes.note(A, BotEventKind.STARTED, "", "hello")
    assert [event.kind for event in notes.take(TWO)] == [BotEventKind.STARTED]
    assert [event.kind for event in notes.take(ONE)] == [BotEventKind.FAULT]
    assert notes.take(ONE) == ()


def test_what_belongs_to_reported_blocks_is_forgotten_and_starts_are_not() -> None:
    notes = journal()
    notes.failure([table(ONE)], ILLEGAL)
    notes.note(A, BotEventKind.NOT_STARTED, "no such file", "")
    notes.forget()
    assert [event.kind for event in notes.take(ONE)] == [BotEventKind.NOT_STARTED]


def test_of_many_events_the_first_are_kept_and_the_rest_is_counted() -> None:
    notes, here = journal(), table(ONE)
    for _ in range(MOST_EVENTS + 5):
        notes.failure([here], ILLEGAL)
    found = notes.take(ONE)
    assert len(found) == MOST_EVENTS
    assert [event.reason for event in found[-2:]] == ["NOT_A_SET", "NOT_A_SET (and 5 more, which were not kept)"]


def test_a_bot_that_fails_all_the_time_has_shown_enough_output_at_some_time() -> None:
    notes = journal()
    outputs = 0
    for number in range(MOST_OUTPUTS // MOST_EVENTS + 2):
        block = number.to_bytes(32, "big")
        for _ in range(MOST_EVENTS):
            notes.failure([table(block)], ILLEGAL)
        outputs += sum(bool(event.output) for event in notes.take(block))
    assert outputs == MOST_OUTPUTS
