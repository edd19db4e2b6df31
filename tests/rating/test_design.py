from itertools import combinations

import numpy as np
import pytest

from arena.rating.design import Designer, Wanted
from arena.rating.likelihood import Floats, sigmoid, weight
from arena.rating.results import Bools

THETA = np.array([0.9, 0.4, 0.3, -0.2, -0.4, -1.0])
SIZE = THETA.size
NOBODY = np.zeros((SIZE, SIZE), dtype=np.bool_)


def laplacian(table: list[int], seats: int) -> Floats:
    """The information that a block of the table adds, summed pair by pair over its `seats` matches."""
    added = np.zeros((SIZE, SIZE))
    for one, other in combinations(table, 2):
        contrast = np.eye(SIZE)[one] - np.eye(SIZE)[other]
        lead = THETA[one] - THETA[other]
        chance = float(sigmoid(lead) * sigmoid(-lead))
        added += seats * weight(seats) * chance * np.outer(contrast, contrast)
    return added


def inverse(information: Floats) -> Floats:
    return np.asarray(np.linalg.inv(information), dtype=np.float64)


def start(seats: int, apart: Bools = NOBODY) -> Designer:
    information = np.eye(SIZE) + sum(laplacian([*pair], 2) for pair in combinations(range(SIZE), 2))
    return Designer(THETA, inverse(information), apart, seats)


def wanted(*pairs: tuple[int, int]) -> Wanted:
    return Wanted(*np.array(pairs).T)


@pytest.mark.parametrize("seats", [2, 4])
def test_who_is_asked_about_meets(seats: int) -> None:
    assert {1, 2} <= set(start(seats).best_table(wanted((1, 2))))


def test_tables_are_full_and_nobody_sits_twice() -> None:
    table = start(5).best_table(wanted((0, 1), (0, 2)))
    assert len(set(table)) == len(table) == 5


def test_in_turn_every_open_comparison_is_served() -> None:
    designer, asked = start(2), wanted((0, 1), (2, 3), (4, 5))
    tables = []
    for _ in range(6):
        tables.append(frozenset(designer.best_table(asked)))
        designer.play(sorted(tables[-1]))
    assert {frozenset((0, 1)), frozenset((2, 3)), frozenset((4, 5))} <= set(tables)


def test_the_chosen_duel_lowers_the_variance_most_of_all_duels() -> None:
    information = 0.3 * np.eye(SIZE) + laplacian([0, 1, 2], 3) + 9 * laplacian([2, 3], 2) + laplacian([1, 4, 5], 3)
    contrast = np.eye(SIZE)[0] - np.eye(SIZE)[3]

    def left(pair: tuple[int, int]) -> float:
        return float(contrast @ np.linalg.inv(information + laplacian([*pair], 2)) @ contrast)

    best = min(combinations(range(SIZE), 2), key=left)
    chosen = Designer(THETA, inverse(information), NOBODY, 2).best_table(wanted((0, 3)))
    assert tuple(sorted(chosen)) == best


def test_who_may_not_meet_does_not() -> None:
    apart = NOBODY.copy()
    apart[1, 2] = apart[2, 1] = True
    assert not {1, 2} <= set(start(4, apart).best_table(wanted((1, 2))))


def test_a_table_stays_short_when_nobody_may_join() -> None:
    apart = ~NOBODY
    assert start(3, apart).best_table(wanted((0, 1))) == []
    apart[0, 1] = apart[1, 0] = False
    assert start(3, apart).best_table(wanted((0, 1))) == [1, 0]
