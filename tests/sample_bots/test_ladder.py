"""A short climb of the ladder in real tournaments; the whole one is a benchmark."""

import pytest

from tests.benchmarks.ladder import climb


@pytest.mark.slow
@pytest.mark.parametrize(("upper", "lower", "seats"), [("counter", "planner", 2), ("champion", "planner", 4)])
def test_an_upper_rung_gains_on_a_lower_one_within_the_clock(upper: str, lower: str, seats: int) -> None:
    climbed = climb(upper, lower, seats, blocks=16)
    assert climbed.points > 0
    assert climbed.p99_ms < 500 / 3
