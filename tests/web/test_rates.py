"""An allowance lets through so many at once, fills again with time, and forgets who asked longest ago."""

from __future__ import annotations

from arena.web import rates
from arena.web.rates import Allowance


class Clock:
    """Time as the test says."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_so_many_at_once_and_then_one_by_one() -> None:
    clock = Clock()
    allowance = Allowance(3, 10.0, clock)
    assert [allowance.take("ada") for _ in range(5)] == [0, 0, 0, 10.0, 10.0]
    clock.now_s += 4
    assert allowance.take("ada") == 6.0
    clock.now_s += 6
    assert [allowance.take("ada") for _ in range(2)] == [0, 10.0]
    clock.now_s += 1000
    assert [allowance.take("ada") for _ in range(4)] == [0, 0, 0, 10.0]


def test_nobody_waits_for_another() -> None:
    allowance = Allowance(1, 10.0, Clock())
    assert [allowance.take(who) for who in ("ada", "bob", "ada")] == [0, 0, 10.0]


def test_it_remembers_a_bounded_number() -> None:
    allowance = Allowance(1, 10.0, Clock())
    for number in range(rates.MOST_KEYS + 1):
        allowance.take(str(number))
    assert (allowance.take("0"), allowance.take(str(rates.MOST_KEYS))) == (0, 10.0)
