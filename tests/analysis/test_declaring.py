import numpy as np
import pytest

from arena.analysis.declaring import AtMost, Confident, Opponent

TOTALS = np.arange(51)


def highest(rule: Confident, *others: tuple[int, int, int]) -> int:
    """The highest total with which the rule declares against opponents with so many cards, fresh cards and turns."""
    seen = [Opponent(np.full(51, cards), np.full(51, fresh), turns) for cards, fresh, turns in others]
    declares = rule(TOTALS, seen)
    assert declares[: declares.sum()].all()
    return int(declares.sum()) - 1


def test_a_fixed_total_looks_at_nobody() -> None:
    assert AtMost(5)(TOTALS, []).tolist() == (TOTALS <= 5).tolist()


@pytest.mark.parametrize(
    ("safer", "less_safe"),
    [
        ([(4, 0, 3)], [(2, 0, 3)]),
        ([(3, 1, 3)], [(3, 0, 3)]),
        ([(3, 0, 1)], [(3, 0, 6)]),
        ([(3, 0, 3)], [(3, 0, 3), (3, 0, 3)]),
    ],
    ids=["fewer cards", "no fresh card", "more turns", "more opponents"],
)
def test_it_takes_less_to_be_confident(
    safer: list[tuple[int, int, int]], less_safe: list[tuple[int, int, int]]
) -> None:
    assert highest(Confident(0.8), *safer) > highest(Confident(0.8), *less_safe)


def test_who_wants_to_be_more_confident_waits_longer() -> None:
    assert highest(Confident(0.6), (3, 1, 3)) > highest(Confident(0.95), (3, 1, 3))
