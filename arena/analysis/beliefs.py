"""What a seat may believe of the others' hands: Bayes on the unseen cards, since players throw the high ones first.

The unknown cards of a hand are of two kinds. The one that its seat drew last from the closed deck, after its last
discard, may be any unseen card. The others have been kept so far, turn after turn, so each unseen card has a weight:
how likely a kept card is this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, exp
from typing import NamedTuple

from arena.analysis.counting import Counts, count_cards, plays_of
from arena.game.cards import ONE, VALUE, total
from arena.game.history import PublicPlay
from arena.game.seating import turn_order
from arena.game.view import Observation

# Fitted by maximum likelihood to the hands in 20,000 turns of matches of `greedy`, `planner` and stronger bots.
DECAY = 0.07
"""By how much the logarithm of a kept card's weight falls with each point of its value and each turn of its seat."""
MOST_TURNS = 7
"""Later turns tell no more."""
ABOVE_SINGLE = 0.56
"""Factor of the weight of cards that are worth more than the single card that the seat threw last."""
LIKE_SINGLE = 0.37
"""Factor of the weight of cards that are worth the same."""

TENS = 11
"""Weights are by the value of a card: this many entries, the first unused."""


class Seen(NamedTuple):
    """What the table sees of a seat: how many cards it holds, how many of them are fresh from the closed deck since its
    last discard (0 or 1), and how many turns it has had."""

    cards: int
    fresh: int
    turns: int


class Holding(NamedTuple):
    """What is known of a hand: the cards `known`, `kept` unknown cards with `weights` by value, and `fresh` (0 or 1)
    unknown cards that may be any. `turns` is how many its seat has had in this deal, `last` its last play of them,
    `offered` the cards that it might then have taken, and `faced` what it then saw of the others that are in."""

    seat: int
    known: bytes
    kept: int
    fresh: int
    weights: tuple[float, ...]
    turns: int
    last: PublicPlay | None
    offered: bytes
    faced: tuple[Seen, ...] = ()


def holdings(view: Observation, counts: Counts | None = None) -> tuple[Holding, ...]:
    """Return what the seat of this view knows of the other seats that are in, clockwise, the next to act first."""
    counts = counts or count_cards(view)
    public = view.public
    live = tuple([seat for seat, held in enumerate(public.seats) if not held.out and seat != view.seat])
    found = []
    for seat in turn_order(live, view.seat, len(public.seats)):
        plays = plays_of(public.events, seat)
        last = plays[-1] if plays else None
        known = counts.held.get(seat, b"")
        unknown = public.seats[seat].cards - len(known)
        fresh = min(unknown, int(last is not None and last.taken is None))
        offered, faced = _before_last_play(view, seat)
        weights = _weights(plays)
        found.append(Holding(seat, known, unknown - fresh, fresh, weights, len(plays), last, offered, faced))
    return tuple(found)


def _before_last_play(view: Observation, seat: int) -> tuple[bytes, tuple[Seen, ...]]:
    """The cards that lay open before the last play of a seat, and what it saw of the others."""
    public = view.public
    plays = [event for event in public.events if isinstance(event, PublicPlay)]
    later = next((number for number, event in enumerate(reversed(plays), 1) if event.seat == seat), len(plays))
    before = plays[: len(plays) - later]
    upcard = b"" if public.upcard is None else ONE[public.upcard]
    faced = []
    for other, now in enumerate(public.seats):
        if other != seat and not now.out:
            own = plays_of(before, other)
            since = plays_of(plays[len(before) :], other)
            cards = now.cards + sum(len(event.discard) - 1 for event in since)
            faced.append(Seen(cards, int(bool(own) and own[-1].taken is None), len(own)))
    return before[-1].discard if before else upcard, tuple(faced)


def kept_weights(turns: int) -> tuple[float, ...]:
    """Return, by a card's value, how likely it is to have been kept through so many turns, against others."""
    decay = DECAY * min(turns, MOST_TURNS)
    return tuple([exp(-decay * value) for value in range(TENS)])


def _weights(plays: Sequence[PublicPlay]) -> tuple[float, ...]:
    """The same after these plays, of which the last tells more."""
    weights = list(kept_weights(len(plays)))
    if plays and len(plays[-1].discard) == 1:
        single = VALUE[plays[-1].discard[0]]
        weights[single] *= LIKE_SINGLE
        weights[single + 1 :] = [weight * ABOVE_SINGLE for weight in weights[single + 1 :]]
    return tuple(weights)


def total_chances(holding: Holding, unseen: bytes) -> tuple[float, ...]:
    """Return the probability of each total of a hand, from 0 on; `unseen` are the cards of which its unknown ones are.

    A set of kept cards is as likely as the product of their weights (the conditional Poisson law; Chen, Dempster and
    Liu 1994, Biometrika 81). The fresh card is taken as independent of them.
    """
    values = unseen.translate(VALUE)
    held = [values.count(value) for value in range(TENS)]
    ways: list[dict[int, float]] = [{total(holding.known): 1.0}] + [{} for _ in range(holding.kept)]
    for value, weight in enumerate(holding.weights):
        if held[value]:
            _add_value(ways, value, [comb(held[value], cards) * weight**cards for cards in range(holding.kept + 1)])
    sums = ways[holding.kept]
    if holding.fresh:
        sums = _spread(sums, held)
    all_ways = sum(sums.values())
    return tuple(sums.get(number, 0.0) / all_ways for number in range(max(sums) + 1))


def _add_value(ways: list[dict[int, float]], value: int, chosen: Sequence[float]) -> None:
    """Let hands have cards of one more value: `ways[cards][sum]`, with `chosen[cards]` ways for so many of them."""
    for cards in range(len(ways) - 1, 0, -1):
        into = ways[cards]
        for more in range(1, cards + 1):
            if chosen[more]:
                for before, weight in ways[cards - more].items():
                    after = before + more * value
                    into[after] = into.get(after, 0.0) + weight * chosen[more]


def _spread(sums: dict[int, float], held: Sequence[int]) -> dict[int, float]:
    spread: dict[int, float] = {}
    for before, weight in sums.items():
        for value, cards in enumerate(held):
            if cards:
                spread[before + value] = spread.get(before + value, 0.0) + weight * cards
    return spread
