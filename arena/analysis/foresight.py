"""What plays cost by what was learned alone, without playing anything out: the cards that may come and what is believed
of the others are exact, the rest is what such hands cost in self-play.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from arena.analysis.beliefs import holdings, total_chances
from arena.analysis.counting import count_cards, without
from arena.analysis.declaring import NEVER, Numbers
from arena.analysis.hands import RANKS, number_of
from arena.analysis.watchful import LOW, watchful
from arena.game.actions import Play
from arena.game.cards import RANK
from arena.game.view import Observation


def foreseen(view: Observation, plays: Sequence[Play]) -> Numbers:
    """Return by play what it is expected to cost in this deal, as `to_be_ahead` reckons.

    Raises KeyError for hands of more than five cards.
    """
    counts = count_cards(view)
    held = holdings(view, counts)
    player = watchful(view.public.variant.mixed_pairs, 1 + len(held))
    sure = sum(log(max(sum(total_chances(holding, counts.unseen)[LOW:]), NEVER)) for holding in held)
    costs = player.costs[np.searchsorted(player.edges, sure)]
    cards = np.frombuffer(counts.unseen.translate(RANK), np.uint8)
    coming = np.bincount(cards, minlength=RANKS) / max(1, len(cards))
    after = costs[player.tables.plus[[number_of(without(view.hand, play.discard)) for play in plays]]]
    closed = after @ coming
    return np.array(
        [closed[row] if play.take is None else after[row, RANK[play.take]] for row, play in enumerate(plays)]
    )
