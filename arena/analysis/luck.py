"""How much of a result is luck, measured on blocks of two policies: what duplicate deals save, and what could be saved
beyond by taking the luck of drawn cards out of the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from arena.analysis.playouts import Playout, play_out
from arena.analysis.policies import Policy
from arena.game.chance import TABLE, Order, SeededChance
from arena.game.rules import new_match
from arena.game.variant import Variant

Numbers = NDArray[np.float64]


class SharedOrders:
    """One order of the deck for all seats, as at a table of people: what a seat gets depends on what others took."""

    def __init__(self, chance: SeededChance) -> None:
        self._chance = chance

    def order(self, deal: int, _stream: str, refill: int, /) -> Order:
        """Return the one order of a deal after so many refills."""
        return self._chance.order(deal, TABLE, refill)


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Blocks of two policies as columns, one row a seat, in the order of block, rotation and seat.

    `policy` is 0 or 1, `share` the part of the other seats finished ahead of (level: half). `luck` has two columns, the
    `DrawLuck` of the other seats' mean minus own, per deal: both have the mean 0 whatever the policies do.
    """

    block: NDArray[np.intp]
    rotation: NDArray[np.intp]
    seat: NDArray[np.intp]
    policy: NDArray[np.intp]
    place: NDArray[np.intp]
    points: Numbers
    deals: NDArray[np.intp]
    share: Numbers
    luck: Numbers

    def block_means(self, values: Numbers) -> Numbers:
        """Average over the seats of the first policy in each block."""
        own = self.policy == 0
        return np.bincount(self.block[own], values[own]) / np.bincount(self.block[own])


def sample(
    policies: tuple[Policy, Policy], seats: int, variant: Variant, blocks: int, name: str, *, shared: bool
) -> Sample:
    """Play `blocks` blocks in all rotations of the seats; the first policy has the first half of them (rounded up).

    `name` stands for the seeds: another name, other cards. `shared` plays with one order of the deck for all seats.
    """
    base = [0] * (seats - seats // 2) + [1] * (seats // 2)
    rows = []
    for block in range(blocks):
        seed = sha256(f"luck/{name}/{seats}/{block}".encode()).digest()
        for rotation in range(seats):
            who = base[rotation:] + base[:rotation]
            own = SeededChance(seed, variant.decks)
            state = new_match(variant, seats, SharedOrders(own) if shared else own)
            played = play_out(state, [policies[policy] for policy in who])
            rows += [(block, rotation, seat, who[seat], *row) for seat, row in enumerate(_rows(played))]
    columns = np.array(rows, dtype=np.float64).T
    block, rotation, seat, policy, place, deals = (column.astype(np.intp) for column in columns[:6])
    points, share, *luck = columns[6:]
    return Sample(block, rotation, seat, policy, place, points, deals, share, np.stack(luck, axis=1))


def _rows(played: Playout) -> Iterator[Sequence[float]]:
    """By seat: place, deals, points, share, and the two columns of luck."""
    places, points = played.outcome.places, played.outcome.points
    others = len(places) - 1
    deals = max(1, played.deals)
    value, matches = (sum(column) for column in zip(*played.luck, strict=True))
    for place, own, luck in zip(places, points, played.luck, strict=True):
        beaten = sum((place < other) + 0.5 * (place == other) for other in places) - 0.5
        more = ((value - luck.value) / others - luck.value) / deals
        fewer = ((matches - luck.matches) / others - luck.matches) / deals
        yield place, deals, own, beaten / others, more, fewer


def left_of_variance(measured: Sample, values: Numbers, training: Sample, trained: Numbers) -> float:
    """What is left of the variance of block means when the luck of drawn cards is taken out of them.

    The coefficients come from `training`, blocks with other cards, so the mean of the results stays what it was
    (control variates; Glasserman 2003, Monte Carlo Methods in Financial Engineering, 4.1).
    """
    lucks = [training.block_means(column) for column in training.luck.T]
    known = np.column_stack([np.ones(len(lucks[0])), *lucks])
    _, *coefficients = np.linalg.lstsq(known, training.block_means(trained), rcond=None)[0]
    before = measured.block_means(values)
    after = before - sum(
        c * measured.block_means(column) for c, column in zip(coefficients, measured.luck.T, strict=True)
    )
    return float(np.var(after) / np.var(before))
