"""What a block of a running tournament is played with: the seats and the seed of each of its matches."""

from __future__ import annotations

from typing import NamedTuple

from arena.tournament.blocks import base_order, match_seed, rotations
from arena.tournament.entries import entries_digest
from arena.tournament.ports import PlannedBlock, Tournament


class DrawnMatch(NamedTuple):
    """One match of a block: the digests by seat, and the 32-byte seed of its cards."""

    seats: tuple[bytes, ...]
    seed: bytes


def draw_block(tournament: Tournament, block: PlannedBlock, attempt: int) -> tuple[DrawnMatch, ...]:
    """The matches of a block in the order of its rotations.

    `attempt` matters only for a block with a remote seat, whose cards are never dealt twice.
    """
    digest = entries_digest(tournament.entries)
    secret, beacon = tournament.secret, tournament.beacon_text
    remote = any(entry.remote for entry in tournament.entries if entry.digest in block.lineup)
    block_seed = match_seed(secret, digest, beacon, block.block_id)
    drawn = []
    for rotation, seats in enumerate(rotations(base_order(block.lineup, block.number, block_seed))):
        seed = block_seed
        if remote:
            seed = match_seed(secret, digest, beacon, block.block_id, (rotation, attempt))
        drawn.append(DrawnMatch(seats, seed))
    return tuple(drawn)
