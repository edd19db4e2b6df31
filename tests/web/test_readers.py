"""A tournament and readers of its pages do not disturb each other."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.arena import SECRET, Arena
from tests.web.apart import apart
from tests.web.readers import Reading, reading
from tests.web.serving import served_by_command

RUN = ("tournament", "run", "greedy", "random", "--seats", "2", "--deals", "40", "--seed", SECRET)


async def played_and_read(arena: Arena, address: str) -> Reading:
    """A tournament with very busy readers, from its beginning to its end."""
    async with reading(address, readers=20, every_s=0.5, listeners=10) as seen:
        await asyncio.to_thread(arena.ok, *RUN)
    return seen


def exported(folder: Path) -> list[dict[str, Any]]:
    return Arena(folder).export()


@pytest.mark.slow
def test_a_tournament_with_readers_ends_as_without_and_no_page_fails(tmp_path: Path) -> None:
    alone, read = tmp_path / "alone", tmp_path / "read"
    for folder in (alone, read):
        folder.mkdir()
    Arena(alone).ok(*RUN)
    arena = Arena(read)
    with served_by_command(arena) as served:
        seen = apart(played_and_read(arena, served.address))
    assert exported(read) == exported(alone)
    log = served.log.read_text()
    assert "locked" not in log
    assert " failed: " not in log
    assert seen.statuses.keys() <= {200, 404}, seen.statuses
    assert any(page.status == 200 for page in seen.pages)  # which ones, and whether live, is left to chance
