"""The reference has an answer on every turn of every variant that the rules allow."""

from itertools import islice
from math import isfinite

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.analysis.evaluation import MOST_LARGE, evaluate
from arena.analysis.explain import judge
from arena.analysis.hands import MOST_CARDS
from arena.game.actions import Declare
from arena.game.cards import NAMES
from arena.game.rules import legal_actions
from arena.game.variant import Crossing, Finish, Variant, check_variant, max_seats
from arena.game.view import observe
from tests.analysis.test_evaluation import by_rank
from tests.wire.walking import walk


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, Variant]:
    """Seats, and a variant by which so many can play."""
    decks = draw(st.sampled_from([1, 2]))
    seats = draw(st.integers(2, max_seats(decks)))
    variant = Variant(
        hand_size=draw(st.integers(1, (NAMES * decks - 2) // seats)),
        decks=decks,
        upcard=draw(st.booleans()),
        mixed_pairs=draw(st.booleans()),
        tie_holds=draw(st.booleans()),
        penalty=draw(st.integers(0, 100)),
        threshold=draw(st.integers(0, 100)),
        crossing=draw(st.sampled_from(Crossing)),
        finish=draw(st.sampled_from(Finish)),
        lap_cap=draw(st.integers(2, 80)),
        deal_cap=draw(st.integers(1, 3)),
    )
    check_variant(variant, seats)
    return seats, variant


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 99), st.integers(0, 120))
def test_every_turn_is_judged_and_the_actions_are_legal(table: tuple[int, Variant], seed: int, turn: int) -> None:
    *_, state = islice(walk(seed, *table, forfeits=0.02), turn + 1)
    if state.outcome is not None:  # it was over sooner, and the walk has changed its one state to the end
        return
    seen, legal = observe(state, state.seat), list(legal_actions(state))
    found = evaluate(seen, np.random.default_rng(seed), 4).estimates
    actions = by_rank([one.action for one in found])
    is_large = max(seat.cards for seat in seen.public.seats) > MOST_CARDS
    assert actions <= by_rank(legal)
    assert len(actions) == len(found) >= min(len(by_rank(legal)), MOST_LARGE if is_large else len(legal))
    assert (Declare() in actions) is seen.public.may_declare
    assert all(isfinite(number) for one in found for number in one[1:])
    chosen = legal[seed % len(legal)]
    assert judge(seen, chosen, bytes(8), 3).chosen.action == chosen
