"""When playing ends, the ratings are computed and kept, so that no page has to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.store.repository import Repository

QUICK_BLOCKS = 10_000
"""Ratings of so many finished blocks are there in about a second, which whoever stops a tournament can wait."""


@contextmanager
def ratings_kept(repository: Repository, tournament: str) -> Iterator[None]:
    """Keep the ratings of the tournament with this id when what is done in here ends or is stopped.

    They are nothing but a cache: where they cannot be kept, they are computed when they are read.
    """
    from arena.bots.anchor import anchor_digest
    from arena.fleet.campaign import CampaignStopped
    from arena.store.errors import StoreError
    from arena.tournament.ports import BlockState

    try:
        yield
    except (KeyboardInterrupt, CampaignStopped):
        with suppress(StoreError):
            if repository.tournament(tournament).blocks[BlockState.DONE] <= QUICK_BLOCKS:
                repository.ratings.keep(tournament, anchor_digest())
        raise
    with suppress(StoreError):
        repository.ratings.keep(tournament, anchor_digest())
