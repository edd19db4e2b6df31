"""What always holds, tried on random tables by a machine that plays anything the rules allow."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from arena.game.actions import Action, Declare, Play
from arena.game.cards import DECKS, fold
from arena.game.chance import NoChance, SeededChance
from arena.game.errors import IllegalAction, MatchOver
from arena.game.events import Events
from arena.game.rules import decide, decide_forfeit, evolve, legal_actions, new_match, substitute
from arena.game.state import State
from arena.game.variant import Crossing, Finish, Variant, max_seats
from arena.game.view import observe


@st.composite
def tables(draw: st.DrawFn) -> tuple[Variant, int]:
    """Draw a variant that can be played, often a tight one, and a number of seats."""
    decks = draw(st.sampled_from([1, 1, 2]))
    seats = draw(st.integers(2, max_seats(decks)))
    most = (52 * decks - 2) // seats
    threshold = draw(st.sampled_from([0, 10, 25, 50]))
    variant = Variant(
        hand_size=draw(st.sampled_from([size for size in (1, 3, 5, 5, 6, 7, most) if size <= most])),
        decks=decks,
        upcard=draw(st.booleans()),
        mixed_pairs=draw(st.booleans()),
        tie_holds=draw(st.booleans()),
        penalty=draw(st.sampled_from([0, 20])),
        threshold=threshold,
        crossing=draw(st.sampled_from(Crossing)),
        finish=draw(st.sampled_from(Finish)),
        lap_cap=draw(st.sampled_from([2, 3, 60])),
        deal_cap=draw(st.sampled_from([1, 3] if threshold == 0 else [0, 3])),
    )
    return variant, seats


def accepted(state: State, action: Action) -> bool:
    try:
        decide(state, action)
    except IllegalAction:
        return False
    return True


class Table(RuleBasedStateMachine):
    """A match that anything legal may happen to; each step is checked, and the whole match is replayed beside it."""

    @initialize(table=tables(), seed=st.binary(min_size=32, max_size=32))
    def open(self, table: tuple[Variant, int], seed: bytes) -> None:
        variant, seats = table
        self.state = new_match(variant, seats, SeededChance(seed, variant.decks))
        self.replayed = State(variant, seats, NoChance())
        assert self.state.dealt is not None
        evolve(self.replayed, (self.state.dealt,))
        self.points = [0] * seats

    def happen(self, events: Events, before: State) -> None:
        assert self.state == before, "deciding changes nothing"
        evolve(self.state, events)
        evolve(self.replayed, events)

    @precondition(lambda self: self.state.outcome is None)
    @rule(choices=st.lists(st.integers(0, 999), min_size=1, max_size=12))
    def act(self, choices: list[int]) -> None:
        for choice in choices:
            if legal := list(legal_actions(self.state)):
                before = self.state.copy()
                self.happen(decide(self.state, legal[choice % len(legal)]), before)

    @precondition(lambda self: self.state.outcome is None)
    @rule(turns=st.integers(1, 40))
    def substitute_for_a_while(self, turns: int) -> None:
        for _ in range(turns):
            if self.state.outcome is None:
                before = self.state.copy()
                self.happen(decide(self.state, substitute(self.state)), before)

    @precondition(lambda self: self.state.outcome is None and self.state.lap > 0)
    @rule()
    def declare(self) -> None:
        before = self.state.copy()
        self.happen(decide(self.state, Declare()), before)

    @precondition(lambda self: self.state.outcome is None)
    @rule()
    def forfeit(self) -> None:
        before = self.state.copy()
        self.happen(decide_forfeit(self.state), before)

    @precondition(lambda self: self.state.outcome is None and len(self.state.hands[self.state.seat] or b"") <= 6)
    @rule()
    def legal_actions_are_exactly_those_accepted(self) -> None:
        state = self.state
        names = sorted(set(fold(state.hands[state.seat] or b"")))
        takes = [None, *range(52)]
        legal = [action for action in legal_actions(state) if isinstance(action, Play)]
        said = {(bytes(sorted(action.discard)), action.take) for action in legal}
        assert len(said) == len(legal)
        possible = [bytes(cards) for size in range(7) for cards in combinations_with_replacement(names, size)]
        some = [None, *fold(state.open)[:1]]
        wanted = {(discard, take) for discard in possible for take in some if accepted(state, Play(discard, take))}
        assert {action for action in said if action[1] in some} == wanted
        single = bytes(names[:1])
        wanted = {(single, take) for take in takes if accepted(state, Play(single, take))}
        assert {action for action in said if action[0] == single} == wanted
        assert accepted(state, Declare()) is (Declare() in list(legal_actions(state)))
        assert accepted(state, substitute(state))

    @precondition(lambda self: self.state.outcome is None)
    @rule(data=st.data())
    def a_view_is_unchanged_when_hidden_cards_are_permuted(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, self.state.seats - 1))
        twin = self.state.copy()
        hidden = twin.closed + b"".join(hand or b"" for other, hand in enumerate(twin.hands) if other != seat)
        cards = bytes(data.draw(st.permutations(hidden)))
        for other, hand in enumerate(twin.hands):
            if other != seat and hand is not None:
                twin.hands[other], cards = cards[: len(hand)], cards[len(hand) :]
        twin.closed = cards
        assert observe(twin, seat) == observe(self.state, seat)

    @precondition(lambda self: self.state.outcome is not None)
    @rule()
    def nobody_acts_any_more(self) -> None:
        assert list(legal_actions(self.state)) == []
        with pytest.raises(MatchOver):
            decide(self.state, Declare())

    @invariant()
    def every_card_is_in_exactly_one_place(self) -> None:
        state = self.state
        placed = b"".join([state.open, state.closed, state.dead, *(hand or b"" for hand in state.hands)])
        assert sorted(placed) == list(DECKS[state.variant.decks])

    @invariant()
    def points_never_fall(self) -> None:
        assert all(now >= before for now, before in zip(self.state.points, self.points, strict=True))
        self.points = self.state.points.copy()

    @invariant()
    def replaying_the_events_gives_the_same_state(self) -> None:
        assert self.replayed == self.state

    @invariant()
    def somebody_is_to_act_until_the_match_is_over(self) -> None:
        state = self.state
        live = [seat for seat, hand in enumerate(state.hands) if hand]
        if state.outcome is None:
            assert state.seat in live
            assert len(live) >= 2
            assert next(legal_actions(state))
        else:
            assert live
            assert min(state.outcome.places) == 1
            assert list(state.outcome.points) == state.points
            assert all(state.outcome.places[seat] == 1 or len(live) > 1 for seat in live)


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=150, stateful_step_count=25, deadline=None)


class LongTable(Table):
    """The same, longer and more often."""


TestLongTable = LongTable.TestCase
TestLongTable.settings = settings(max_examples=500, stateful_step_count=60, deadline=None)
TestLongTable.pytestmark = [pytest.mark.slow]  # type: ignore[attr-defined]
