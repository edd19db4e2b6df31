"""A block is one lineup on one deal seed in all its seat rotations: its identity, its seed, and who sits where.

Everything here is derived and nothing chosen, so anybody who knows the secret of a finished tournament finds the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256, shake_256
from itertools import islice, permutations
from math import factorial

from arena.game.chance import seat_order
from arena.game.variant import Variant
from arena.match.limits import Limits

SEED_BYTES = 32
"""The length of secrets, seeds, digests and block ids."""

_MATCH = b"least-score/v1/match/"


def block_id(number: int, lineup: Iterable[bytes], variant: Variant, limits: Limits) -> bytes:
    """The 32-byte identity of block `number` of a lineup (32-byte digests in any order; a clone stands twice).

    It is the SHA-256 of canonical JSON: keys sorted, no spaces, ASCII. Nothing that a machine finds out is in it.
    """
    identity = {
        "block": number,
        "limits": limits.as_dict(),
        "lineup": [digest.hex() for digest in sorted(lineup)],
        "variant": variant.as_dict(),
    }
    return sha256(json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()).digest()


def commitment(secret: bytes) -> bytes:
    """What is published when a tournament opens: SHA-256 of its secret, which binds to it without telling it."""
    return sha256(secret).digest()


def match_seed(
    secret: bytes, entries_digest: bytes, beacon_text: str, block: bytes, remote: tuple[int, int] | None = None
) -> bytes:
    """The 32-byte seed of all cards of a block, from the secret, the entries, the beacon's text and the block's id.

    A block with a remote seat gives `remote` = (rotation, attempt), so that each of its matches has other cards: who
    answers at an address cannot be kept from remembering. Without `remote` this is the block seed.
    """
    stream = shake_256(_MATCH + secret + entries_digest + sha256(beacon_text.encode()).digest() + block)
    if remote is not None:
        rotation, attempt = remote
        stream.update(f"/{rotation}/{attempt}".encode("ascii"))
    return stream.digest(SEED_BYTES)


def base_order(lineup: Iterable[bytes], number: int, block_seed: bytes) -> tuple[bytes, ...]:
    """The lineup in the seating order of rotation 0 of block `number`.

    Neighbours matter, since the open cards come from the seat before; so with up to 4 seats the blocks of a lineup go
    through all orders in turn, and with more the block seed draws one. Two bots with a clone each sit alternately.
    """
    ranked = sorted(lineup)
    seats = len(ranked)
    if _is_two_pairs_of_clones(ranked):
        return (ranked[0], ranked[2], ranked[1], ranked[3])
    if seats > 4:
        return tuple(ranked[place] for place in seat_order(block_seed, seats))
    nth = number % factorial(seats - 1)
    return (ranked[0], *next(islice(permutations(ranked[1:]), nth, None)))


def _is_two_pairs_of_clones(ranked: Sequence[bytes]) -> bool:
    return len(ranked) == 4 and ranked[0] == ranked[1] != ranked[2] == ranked[3]


def rotations(base: Sequence[bytes]) -> tuple[tuple[bytes, ...], ...]:
    """The digests by seat in each rotation: in rotation r, seat s holds base[(s + r) mod k].

    There are as many as the base order has different ones: k, but 2 for a b a b.
    """
    turned = (tuple(base[turn:]) + tuple(base[:turn]) for turn in range(len(base)))
    return tuple(dict.fromkeys(turned))
