"""The sample bot that ratings are anchored at."""

from __future__ import annotations

from arena.bots.errors import BotError
from arena.bots.folders import open_folder
from arena.settings import sample_bots

ANCHOR = "greedy"
"""The sample bot whose rating is 1500."""


def anchor_digest() -> bytes | None:
    """The digest of the anchor, as it lies here; None when it cannot be read."""
    try:
        return open_folder(sample_bots() / ANCHOR).digest
    except BotError:
        return None
