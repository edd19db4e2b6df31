"""A bot sees in its observation exactly what the rules say that its seat may see."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.game.cards import fold, total
from arena.game.discards import legal_discards
from arena.game.state import State
from arena.game.variant import Crossing, Finish, Variant
from arena.sdk import Observation, PublicPlay
from arena.wire.codec import TableEncoder
from arena.wire.v1 import bot_pb2 as pb
from tests.wire.walking import ask, walk


def seen(state: State) -> Observation:
    return Observation(pb.TakeTurnRequest.FromString(TableEncoder()(ask(state, bots=("a/1", "b/1")))))


@pytest.mark.parametrize(
    ("seats", "variant"),
    [
        (2, Variant(threshold=25, crossing=Crossing.REACH)),
        (4, Variant(upcard=False, finish=Finish.FIRST_OUT, lap_cap=4)),
        (9, Variant(decks=2, mixed_pairs=True, tie_holds=False)),
    ],
)
def test_every_part_of_an_observation_is_what_the_view_holds(seats: int, variant: Variant) -> None:
    for state in walk(seats, seats, variant, forfeits=0.01):
        question = ask(state)
        public, seat, hand = question.observation
        bot = seen(state)
        assert (bot.seat, bot.hand, bot.open) == (seat, hand, public.open)
        assert (bot.may_take_closed, bot.may_declare) == (public.may_take_closed, public.may_declare)
        assert bot.total == total(hand)
        assert bot.variant == variant
        assert (bot.deal, bot.starter, bot.upcard) == (public.deal, public.starter, public.upcard)
        assert (bot.seats, bot.events, bot.past_deals) == (public.seats, public.events, public.past)
        assert bot.closed_count == public.closed_count
        assert bot.legal_discards() == legal_discards(hand, variant)
        assert (bot.table, bot.turn, bot.choice_seed) == (question.table, question.turn, question.choice_seed)
        assert (bot.turn_limit_ms, bot.bank_ms, bot.last_latency_us) == (500, 10_000 - state.turn, 31 * state.turn)
        assert bot.bots == ("a/1", "b/1")


def test_chance_is_the_same_for_the_same_turn_and_another_for_the_next() -> None:
    states = walk(1, 2, Variant())
    first = seen(next(states))
    assert first.rng().random() == first.rng().random()
    assert first.rng().random() != seen(next(states)).rng().random()


@pytest.mark.parametrize(("seats", "decks", "hand_size"), [(8, 1, 5), (10, 2, 9)])
def test_unseen_cards_are_the_closed_deck_and_the_hands_but_for_what_was_taken_openly(
    seats: int, decks: int, hand_size: int
) -> None:
    """Checked against the true hands, whose openly taken cards are followed here card by card."""
    refills = 0
    for seed in range(6):
        known: dict[int, Counter[int]] = {}
        variant = Variant(decks=decks, hand_size=hand_size, threshold=0, deal_cap=2, lap_cap=20)
        for state in walk(seed, seats, variant):
            if not state.events_of_deal:
                known = {seat: Counter() for seat in range(seats)}
            else:
                last = state.events_of_deal[-1]
                assert isinstance(last, PublicPlay)
                known[last.seat] -= Counter(last.discard)
                if last.taken is not None:
                    known[last.seat][last.taken] += 1
                refills += last.refilled > 0
            hidden = Counter(fold(state.closed))
            for seat, hand in enumerate(state.hands):
                if seat != state.seat:
                    hidden += Counter(fold(hand or b"")) - known[seat]
            assert Counter(seen(state).unseen()) == hidden
    assert refills


def test_unseen_cards_are_sorted() -> None:
    for state in walk(3, 4, Variant(decks=2)):
        unseen = seen(state).unseen()
        assert unseen == bytes(sorted(unseen))


def test_a_forfeited_hand_stays_unseen_but_for_what_was_taken_openly() -> None:
    forfeits = 0
    for seed in range(10):
        for state in walk(seed, 6, Variant(threshold=0, deal_cap=3), forfeits=0.02):
            unseen = Counter(seen(state).unseen())
            assert not Counter(fold(state.closed)) - unseen
            assert not unseen & Counter(state.hands[state.seat] or b"")
            forfeits += any(state.forfeited)
    assert forfeits
