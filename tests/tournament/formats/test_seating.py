import numpy as np

from arena.tournament.formats.seating import seat_close

NOBODY = np.eye(6, dtype=np.bool_)


def never(_table: list[int]) -> bool:
    return False


def test_neighbours_sit_together() -> None:
    assert seat_close(np.zeros((6, 6)), NOBODY, 3, never) == ([[0, 1, 2], [3, 4, 5]], 0)


def test_who_met_is_seated_apart_if_that_can_be() -> None:
    met = np.zeros((6, 6))
    met[0, 1] = met[1, 0] = met[3, 4] = met[4, 3] = 1.0
    found = seat_close(met, NOBODY, 3, never)
    assert found is not None
    assert all(not {0, 1} <= set(table) and not {3, 4} <= set(table) for table in found[0])


def test_a_table_that_sat_before_is_changed_where_it_costs_least() -> None:
    found = seat_close(np.zeros((6, 6)), NOBODY, 3, lambda table: table == [0, 1, 2])
    assert found == ([[0, 1, 3], [2, 4, 5]], 0)


def test_a_table_that_must_sit_again_is_told() -> None:
    assert seat_close(np.zeros((3, 3)), np.eye(3, dtype=np.bool_), 3, lambda table: True) == ([[0, 1, 2]], 1)


def test_who_may_not_meet_is_never_seated_together() -> None:
    apart = NOBODY.copy()
    apart[0, 1] = apart[1, 0] = apart[0, 2] = apart[2, 0] = True
    found = seat_close(np.zeros((6, 6)), apart, 3, never)
    assert found is not None
    assert not any(0 in table and {1, 2} & set(table) for table in found[0])
    assert seat_close(np.zeros((6, 6)), np.ones((6, 6), dtype=np.bool_), 3, never) is None
