"""Matches played to their end in this process, and how lucky the cards from the closed deck were for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.analysis.policies import Policy
from arena.game.actions import Action
from arena.game.cards import RANK, VALUE
from arena.game.events import Events, MatchEnded, Played
from arena.game.rules import decide, evolve
from arena.game.state import State
from arena.game.view import observe


class DrawLuck(NamedTuple):
    """How the closed cards that a seat got in a match differ from what was to be expected of them, summed.

    `value` is in points of the hand (above 0: higher cards than the mean of the closed deck at that moment), `matches`
    in cards (above 0: more often a rank that the seat kept). Each card's expectation is taken over the cards that were
    in the closed deck, all equally likely, so both sums have the mean 0 however anybody plays.
    """

    value: float
    matches: float


class Playout(NamedTuple):
    """How a match ended, how many of its deals were scored, and each seat's luck."""

    outcome: MatchEnded
    deals: int
    luck: tuple[DrawLuck, ...]


def play_out(state: State, policies: Sequence[Policy]) -> Playout:
    """Play a match to its end, in place; seat s acts by `policies[s]`. Raises IllegalAction for what breaks a rule."""
    values, matches = [0.0] * state.seats, [0.0] * state.seats
    while state.outcome is None:
        seat = state.seat
        events = decide(state, _action(state, policies[seat]))
        if (luck := draw_luck(state, events)) is not None:
            values[seat] += luck.value
            matches[seat] += luck.matches
        evolve(state, events)
    return Playout(state.outcome, len(state.past_deals), tuple(map(DrawLuck, values, matches)))


def draw_luck(state: State, events: Events) -> DrawLuck | None:
    """The luck of the card that a decision brings, before it is applied; None when none comes from the closed deck."""
    played = events[0]
    if not isinstance(played, Played) or played.take is not None:
        return None
    deck = played.refilled or state.closed
    kept = (state.hands[played.seat] or b"").translate(None, played.discard).translate(RANK)
    expected_value = sum(map(VALUE.__getitem__, deck)) / len(deck)
    expected_matches = sum(rank in kept for rank in deck.translate(RANK)) / len(deck)
    return DrawLuck(VALUE[played.card] - expected_value, (RANK[played.card] in kept) - expected_matches)


def _action(state: State, policy: Policy) -> Action:
    return policy(observe(state, state.seat))
