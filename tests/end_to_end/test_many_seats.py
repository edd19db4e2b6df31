"""Large tables: many processes start at once, and none of them is late because of the others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.bots.making import make_bot
from tests.end_to_end.arena import Arena
from tests.fleet.running import SAMPLES


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("seats", "options"), [(8, []), (10, ["--decks", "2"])])
def test_bots_that_keep_the_limits_have_no_fault_at_a_large_table(
    tmp_path: Path, seats: int, options: list[str]
) -> None:
    bots = []
    for number in range(seats):
        folder = make_bot(tmp_path / f"greedy{number}", ["python", "main.py"])
        shutil.copy(SAMPLES / "greedy" / "main.py", folder)
        bots.append(str(folder))
    arena = Arena(tmp_path)
    quick = ["--deals", "2", "--deal-cap", "2", "--workers", "2", "--quiet"]
    arena.ok("tournament", "run", *bots, "--seats", str(seats), *quick, *options)
    rows = arena.json("rankings")
    assert [row["faults"] for row in rows] == [0] * seats
    assert {row["matches"] for row in rows} == {2 * seats}
