"""The running number of the history chart."""

from __future__ import annotations

import pytest

from arena.rating.elo import online_changes
from arena.rating.errors import BadResultsError


@pytest.mark.parametrize(
    ("ratings", "places", "changes"),
    [
        ((1500, 1600, 1700), (1, 3, 2), (16.80, -12.00, -4.80)),
        ((1500, 1500, 1600, 1400), (1, 1, 3, 4), (8.00, 8.00, -8.32, -7.68)),
    ],
)
def test_changes_of_one_match(ratings: tuple[float, ...], places: tuple[int, ...], changes: tuple[float, ...]) -> None:
    assert online_changes(ratings, places) == pytest.approx(changes, abs=0.005)


def test_what_one_seat_wins_the_others_lose() -> None:
    assert sum(online_changes((1380.0, 1622.5, 1500.0, 1501.0), (2, 1, 4, 2))) == pytest.approx(0)


def test_a_rating_without_a_place_is_refused() -> None:
    with pytest.raises(BadResultsError, match="at least 2 seats"):
        online_changes((1500.0, 1500.0), (1,))
