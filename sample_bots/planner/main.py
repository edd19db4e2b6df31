"""Two steps ahead: of all discards and takes the pair after which the best next discard leaves the least.

What a hand costs depends on its ranks alone (flushes are left out), so it is worked out once for each set of ranks.
"""

from functools import cache
from operator import mul

from arena.sdk import RANK, Action, Declare, Observation, Play, Variant, legal_discards, serve, total

NOW = 0.5
"""What a point in the hand costs now, since somebody may declare; after the next discard it costs 1."""
CARD = 0.6
"""What a card kept costs: few cards are soon few points."""
RANKS = range(13)


def choose(observation: Observation) -> Action:
    if observation.may_declare and observation.total <= declares_at(observation):
        return Declare()
    variant = observation.variant
    unseen = observation.unseen().translate(RANK)
    chances = [unseen.count(rank) / max(1, len(unseen)) for rank in RANKS]
    options: list[tuple[float, Play]] = []
    for discard in observation.legal_discards():
        kept = observation.hand.translate(RANK, discard) if variant.decks == 1 else without(observation.hand, discard)
        costs = costs_by_draw(bytes(sorted(kept)), variant.mixed_pairs)
        options += [(costs[RANK[card]], Play(discard, card)) for card in observation.open]
        if observation.may_take_closed:
            options.append((sum(map(mul, costs, chances)), Play(discard, None)))
    return min(options, key=lambda option: option[0])[1]


def declares_at(observation: Observation) -> int:
    """6 is safe as long as nobody else is down to two cards."""
    others = [held.cards for seat, held in enumerate(observation.seats) if seat != observation.seat and not held.out]
    return 6 if min(others) > 2 else 5


def without(hand: bytes, discard: bytes) -> bytes:
    """The ranks of a hand after a discard; with two decks a card may be there twice."""
    for card in discard:
        hand = hand.replace(bytes((card,)), b"", 1)
    return hand.translate(RANK)


@cache
def costs_by_draw(kept: bytes, mixed_pairs: bool) -> tuple[float, ...]:
    """By the rank that is drawn to the ranks kept: what the hand then costs."""
    hands = (bytes(sorted(kept + bytes((rank,)))) for rank in RANKS)
    return tuple(cost(hand, mixed_pairs) for hand in hands)


@cache
def cost(ranks: bytes, mixed_pairs: bool) -> float:
    hand = bytes(rank + 13 * (place % 4) for place, rank in enumerate(ranks))  # in suits that make no flush
    now = total(hand)
    rest = now - max(map(total, legal_discards(hand, Variant(mixed_pairs=mixed_pairs))))
    return rest + NOW * now + CARD * len(hand)


if __name__ == "__main__":
    serve(choose, name="planner", version="1.0")
