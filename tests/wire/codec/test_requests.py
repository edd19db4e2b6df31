"""Requests that are put together from prepared bytes say what the contract says, and nothing that is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest

from arena.game.chance import SeededChance, choice_seed
from arena.game.discards import legal_discards
from arena.game.rules import decide, evolve, legal_actions, new_match
from arena.game.variant import Crossing, Finish, Variant
from arena.game.view import PublicForfeit, PublicPlay, observe, own_view
from arena.match.faults import FaultKind, Verdict
from arena.match.limits import Limits
from arena.match.player import Question
from arena.match.table import Chair, Match, Table
from arena.wire.codec import TableEncoder, add_legal_discards, encode_turns
from arena.wire.v1 import bot_pb2 as pb
from tests.wire.walking import ask, walk

VARIANTS = [
    (2, Variant()),
    (4, Variant(threshold=25, crossing=Crossing.REACH)),
    (3, Variant(upcard=False, finish=Finish.FIRST_OUT, lap_cap=5)),
    (10, Variant(decks=2, mixed_pairs=True, tie_holds=False, threshold=0, deal_cap=4)),
    (2, Variant(hand_size=12, threshold=0, deal_cap=3)),
]


def cards(names: bytes) -> list[pb.Card]:
    return [card(name) for name in names]


def card(name: int | None) -> pb.Card:
    return cast("pb.Card", 0 if name is None else name + 1)


def in_full(question: Question, *, legal: bool = False) -> pb.TakeTurnRequest:
    """The message of a question, field by field, as one would write it without a thought of speed."""
    public, seat, hand = question.observation
    view = pb.Observation(
        deal=public.deal, starter=public.starter, upcard=card(public.upcard),
        open=cards(public.open), closed_count=public.closed_count, may_take_closed=public.may_take_closed,
        may_declare=public.may_declare, seat=seat, hand=cards(hand), bots=question.bots,
    )  # fmt: skip
    rules: dict[str, Any] = public.variant.as_dict()
    rules["crossing"] = pb.Crossing.Value(f"CROSSING_{rules['crossing']}")
    rules["finish"] = pb.Finish.Value(f"FINISH_{rules['finish']}")
    view.variant.CopyFrom(pb.Variant(**rules))
    for shown in public.seats:
        view.seats.add(cards=shown.cards, points=shown.points, out=shown.out)
    for event in public.events:
        if isinstance(event, PublicForfeit):
            view.events.add(seat=event.seat, forfeited=pb.Forfeited())
        else:
            assert isinstance(event, PublicPlay)
            played = pb.Played(discard=cards(event.discard), taken=card(event.taken), refilled=event.refilled)
            view.events.add(seat=event.seat, played=played)
    for past in public.past:
        deal = view.past_deals.add(end=pb.DealEnd.Value(f"DEAL_END_{past.end.name}"))
        if past.declarer is not None:
            deal.declarer = past.declarer
        for holder, shown_hand in enumerate(past.hands):
            if shown_hand is not None:
                deal.hands.add(
                    seat=holder, cards=cards(shown_hand), total=past.totals[holder], points=past.points[holder]
                )
    if legal:
        for discard in legal_discards(hand, public.variant):
            view.legal_discards.add(cards=cards(discard))
    return pb.TakeTurnRequest(
        table=question.table, turn=question.turn, turn_limit_ms=question.turn_limit_ms, bank_ms=question.bank_ms,
        last_latency_us=question.last_latency_us, choice_seed=question.choice_seed, observation=view,
    )  # fmt: skip


def tables(seed: int, seats: int, variant: Variant) -> Iterator[tuple[Table, int]]:
    """A table of random play with faults before each of its turns, and what the seat's last turn took."""
    chance = Random(seed)
    chairs = tuple(Chair(bytes([seat]) * 32, 0, 0) for seat in range(seats))
    match = Match(bytes(32), 0, variant, Limits(strikes=2, show_names=True), chairs, chance.randbytes(32))
    table = Table(match, TableEncoder(), lambda: chance.getrandbits(64))
    latencies_us = [0] * seats
    while table.outcome is None:
        seat = table.state.seat
        yield table, latencies_us[seat]
        latencies_us[seat] = micros = chance.randrange(10**6)
        if chance.random() < 0.02:
            table.settle(Verdict(FaultKind.TIMEOUT, ""), micros, 0.0)
        else:
            table.settle(decide(table.state, chance.choice(list(legal_actions(table.state)))), micros, 0.0)


def asked_by(table: Table, bank_ms: int, latency_us: int) -> Question:
    """The question that a table puts, from the state that it holds."""
    state, match = table.state, table.match
    return Question(
        table.number, state.turn, 500, bank_ms, latency_us,
        choice_seed(match.seed, state.deal, state.seat, state.turn), observe(state, state.seat),
        tuple(chair.bot.hex() for chair in match.chairs),
    )  # fmt: skip


@pytest.mark.parametrize(("seats", "variant"), VARIANTS)
def test_every_request_of_a_match_says_what_a_message_built_in_full_says(seats: int, variant: Variant) -> None:
    events = set()
    for seed in range(3):
        encode = TableEncoder()
        for state in walk(seed, seats, variant, forfeits=0.01):
            question = ask(state, bots=("β/1", "greedy/1.0"))
            assert pb.TakeTurnRequest.FromString(encode(question)) == in_full(question)
            events |= {type(event) for event in question.observation.public.events}
    assert PublicPlay in events


def test_legal_discards_are_added_for_a_bot_that_wants_them() -> None:
    encode = TableEncoder()
    for state in walk(5, 3, Variant(mixed_pairs=True)):
        question = ask(state)
        request = add_legal_discards(encode(question))
        assert pb.TakeTurnRequest.FromString(request) == in_full(question, legal=True)


def test_a_question_may_be_encoded_again() -> None:
    encode = TableEncoder()
    for state in walk(6, 4, Variant()):
        question = ask(state)
        assert encode(question) == encode(question)


@pytest.mark.parametrize(("seats", "variant"), VARIANTS)
def test_a_table_that_is_followed_event_by_event_asks_what_one_asks_that_is_seen_anew(
    seats: int, variant: Variant
) -> None:
    for seed in range(3):
        for table, latency_us in tables(seed, seats, variant):
            assert table.request(321.5) == TableEncoder()(asked_by(table, 321, latency_us))


def test_permuting_the_cards_that_a_seat_cannot_see_leaves_its_bytes_equal() -> None:
    for decks in (1, 2):
        variant = Variant(decks=decks)
        for seed in range(20):
            chance = Random(seed)
            state = new_match(variant, 4, SeededChance(chance.randbytes(32), decks))
            for _ in range(chance.randrange(30)):
                moves = [action for action in legal_actions(state) if action]  # Declare() is the empty tuple
                evolve(state, decide(state, chance.choice(moves)))
            before = TableEncoder()(ask(state))
            own = own_view(state)
            others = [seat for seat in range(4) if seat != state.seat]
            hands = [state.hands[seat] or b"" for seat in others]
            hidden = list(b"".join(hands) + state.closed)
            shuffled = chance.sample(hidden, len(hidden))
            assert shuffled != hidden
            for seat, hand in zip(others, hands, strict=True):
                state.hands[seat], shuffled = bytes(shuffled[: len(hand)]), shuffled[len(hand) :]
            state.closed = bytes(shuffled)
            assert TableEncoder()(ask(state)) == before
            assert own_view(state) == own


def test_turns_of_many_tables_go_out_as_they_are() -> None:
    questions = [ask(state) for _, state in zip(range(300), walk(8, 8, Variant(threshold=100)), strict=False)]
    raws = [TableEncoder()(question) for question in questions]
    message = pb.TakeTurnsRequest.FromString(encode_turns(raws))
    assert list(message.turns) == [in_full(question) for question in questions]
    assert max(map(len, raws)) > 128
