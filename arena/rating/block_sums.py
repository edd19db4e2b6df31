"""What blocks add up to, where single results are shares: all that an interval needs (see `arena.rating.shares`)."""

from __future__ import annotations

from typing import NamedTuple


class BlockSums(NamedTuple):
    """What blocks add up to: in `games` single results, `points` were won (ties ½).

    `edge_micro` is the sum over `blocks` of the mean score less one half, `square_micro` that of its square, both in
    millionths.
    """

    blocks: int
    games: int
    points: float
    edge_micro: int
    square_micro: int
