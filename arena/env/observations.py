"""What a seat may know as one vector of numbers, the same fields for every turn of a variant."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from arena.analysis.counting import count_cards
from arena.game.cards import NAMES
from arena.game.scoring import most_points
from arena.game.variant import Variant, check_variant
from arena.game.view import Observation

Numbers = NDArray[np.float32]


def most_points_of_deal(variant: Variant) -> int:
    """Return more than which no seat can get in one deal: a false declaration with a hand of tens against nothing."""
    return variant.penalty + 10 * variant.hand_size


class ObservationNumbers:
    """The vector for tables of so many seats: `fields` names its parts, `high` is the most that each number can be.

    All numbers are whole and at least 0. Parts by seat begin with the seat that looks, then go on clockwise.

    Raises:
        VariantError: so many seats cannot play by this variant.
    """

    def __init__(self, variant: Variant, seats: int) -> None:
        check_variant(variant, seats)
        self.variant, self.seats = variant, seats
        most = most_points_of_deal(variant)
        points = variant.deal_cap * most if variant.threshold == 0 else most_points(variant) + most
        parts = (
            ("hand", NAMES, variant.decks),
            ("open", NAMES, variant.decks),
            ("dead", NAMES, variant.decks),
            ("held", NAMES * (seats - 1), variant.decks),
            ("cards", seats, variant.hand_size),
            ("points", seats, points),
            ("out", seats, 1),
            ("starter", seats, 1),
            ("closed", 1, NAMES * variant.decks),
            ("lap", 1, variant.lap_cap),
            ("deals_left", 1, variant.deal_cap),
            ("may_take_closed", 1, 1),
            ("may_declare", 1, 1),
        )
        ends = np.cumsum([size for _, size, _ in parts]).tolist()
        self.fields = MappingProxyType(
            {name: slice(end - size, end) for (name, size, _), end in zip(parts, ends, strict=True)}
        )
        self.high: Numbers = np.repeat([high for *_, high in parts], [size for _, size, _ in parts]).astype(np.float32)

    def vector(self, seen: Observation) -> Numbers:
        """Return what a seat may know as numbers; shape and order are those of `high`."""
        public, me = seen.public, seen.seat
        order = [(me + place) % self.seats for place in range(self.seats)]
        counts = count_cards(seen)
        piles = [seen.hand, public.open, counts.dead, *(counts.held.get(seat, b"") for seat in order[1:])]
        cells = bytearray(NAMES * len(piles))
        for number, pile in enumerate(piles):
            for card in pile:
                cells[NAMES * number + card] += 1
        vector = np.empty(len(self.high), dtype=np.float32)
        vector[: len(cells)] = np.frombuffer(cells, dtype=np.uint8)
        views = [public.seats[seat] for seat in order]
        vector[len(cells) :] = [
            *(view.cards for view in views),
            *(view.points for view in views),
            *(view.out for view in views),
            *(seat == public.starter for seat in order),
            public.closed_count,
            sum(event.seat == me for event in public.events),
            max(0, self.variant.deal_cap - public.deal),
            public.may_take_closed,
            public.may_declare,
        ]
        return vector
