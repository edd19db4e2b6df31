"""Counts the cards, reckons what the others' hands may be worth, and declares when that promises more than another lap.

It plays for its own points minus half the mean of the others'; below, that is what `worth` means, more is better.
"""

from collections.abc import Sequence
from functools import cache
from math import prod
from operator import mul
from typing import NamedTuple

from arena.sdk import (
    RANK,
    VALUE,
    Action,
    Declare,
    Observation,
    Play,
    Variant,
    holdings,
    legal_discards,
    serve,
    total,
    total_chances,
    without,
)

OTHERS = 0.5
"""What a point of the others' mean is worth, against one's own."""
THEY_DECLARE = 5
"""With such a total, or less, others are taken to end the deal on their next turn."""
NOT_YET = 25
"""With more than this a declaration is not even thought about."""
NOW = 0.5
"""What a point in the hand costs now, since somebody may declare; after the next discard it costs 1."""
CARD = 0.6
"""What a card kept costs: few cards are soon few points."""
RANKS = range(13)

Chances = Sequence[float]


class Option(NamedTuple):
    cost: float
    play: Play


def choose(observation: Observation) -> Action:
    unseen = observation.unseen()
    ranks = unseen.translate(RANK)
    draws = [ranks.count(rank) / max(1, len(ranks)) for rank in RANKS]
    play = best_play(observation, draws)
    if observation.may_declare and observation.total <= NOT_YET:
        others = [total_chances(held, unseen) for held in holdings(observation.view())]
        now = worth_of_declaring(observation.total, others, observation.variant)
        if now >= worth_of_going_on(play, observation, others, draws):
            return Declare()
    return play


def best_play(observation: Observation, draws: Chances) -> Play:
    """The play after which the best next discard leaves the least, as `planner` sees it."""
    options: list[Option] = []
    for discard in observation.legal_discards():
        kept = bytes(sorted(without(observation.hand, discard).translate(RANK)))
        costs = costs_by_draw(kept, observation.variant.mixed_pairs)
        options += [Option(costs[RANK[card]], Play(discard, card)) for card in observation.open]
        if observation.may_take_closed:
            options.append(Option(sum(map(mul, costs, draws)), Play(discard, None)))
    return min(options, key=lambda option: option.cost).play


def worth_of_declaring(own: int, others: Sequence[Chances], variant: Variant) -> float:
    """What it brings to declare with a total, when the others' have these chances, each apart from the rest."""
    first = own if variant.tie_holds else own + 1  # the least total of another seat with which it holds
    safe = [sum(chances[first:]) for chances in others]
    holds = prod(safe)
    gain = sum(
        holds / sure * sum((total - own) * chance for total, chance in enumerate(chances[first:], first))
        for chances, sure in zip(others, safe, strict=True)
        if sure
    )
    loss, at_least = 0.0, holds
    for lowest in range(first - 1, -1, -1):
        before, at_least = at_least, prod(sum(chances[lowest:]) for chances in others)
        loss += (at_least - before) * (variant.penalty + own - lowest)
    return OTHERS * gain / len(others) - loss


def worth_of_going_on(play: Play, observation: Observation, others: Sequence[Chances], draws: Chances) -> float:
    """The same a lap later with the hand that the play leaves, unless somebody else ends the deal before."""
    nobody = prod(1 - sum(chances[: THEY_DECLARE + 1]) for chances in others)
    rest = observation.total - total(play.discard)

    @cache
    def worth(own: int) -> float:
        later = max(worth_of_declaring(own, others, observation.variant), -OTHERS * own)
        return nobody * later - (1 - nobody) * max(0.0, own - THEY_DECLARE / 2)

    if play.take is not None:
        return worth(rest + VALUE[play.take])
    return sum(chance * worth(rest + VALUE[rank]) for rank, chance in enumerate(draws) if chance)


@cache
def costs_by_draw(kept: bytes, mixed_pairs: bool) -> tuple[float, ...]:
    """By the rank that is drawn to the ranks kept: what the hand then costs."""
    return tuple(cost(bytes(sorted(kept + bytes((rank,)))), mixed_pairs) for rank in RANKS)


@cache
def cost(ranks: bytes, mixed_pairs: bool) -> float:
    hand = bytes(rank + 13 * (place % 4) for place, rank in enumerate(ranks))  # in suits that make no flush
    now = total(hand)
    rest = now - max(map(total, legal_discards(hand, Variant(mixed_pairs=mixed_pairs))))
    return rest + NOW * now + CARD * len(hand)


if __name__ == "__main__":
    serve(choose, name="counter", version="1.0")
