"""The measuring programs, each asked once for very little."""

from __future__ import annotations

import pytest

from arena.bench.memory import measure as memory
from arena.bench.program import measuring
from arena.fleet.setups import usable_cores


def test_random_play_and_matches_in_process_have_figures() -> None:
    for kind in (("rules",), ("in process", "2")):
        figures = measuring(*kind, "0.01")
        assert all(figure > 0 for figure in next(figures).values())
        figures.close()


@pytest.mark.slow
@pytest.mark.skipif(len(usable_cores()) < 2, reason="there is one core")
def test_two_programs_on_two_cores_get_more_done_than_one() -> None:
    figures = measuring("cores", "2", "0.5")
    assert 0 < next(figures)["cores/2"] < 4
    figures.close()


@pytest.mark.slow
def test_the_coordinator_needs_some_megabytes_for_any_plan() -> None:
    found = next(memory(0, large=1, small=1))
    assert set(found) == {"opening/large", "opening/small", "playing/large", "playing/small"}
    assert all(20 < megabytes < 500 for megabytes in found.values())
