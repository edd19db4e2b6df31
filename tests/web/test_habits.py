"""The figures that tell how a bot plays."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from arena.match.faults import FaultKind
from arena.tournament.habits import FAULTS, Habit
from arena.web.bot_charts import duration
from arena.web.habits import Discard, bound, told_habits
from arena.web.i18n import Language


def counts(**found: Mapping[int, int]) -> dict[Habit, Mapping[int, int]]:
    return {habit: found.get(habit.value, {}) for habit in Habit}


def test_declarations_are_told_with_how_many_held_and_their_mean_total() -> None:
    told = told_habits(counts(chance={0: 50}, held={4: 3, 6: 1}, false={10: 1}))
    assert (told.chances, told.declared, told.held) == (50, 5, 4)
    assert told.mean_total == pytest.approx((3 * 4 + 6 + 10) / 5)


def test_plays_are_told_by_the_number_of_cards_discarded() -> None:
    told = told_habits(counts(closed={1: 6, 2: 1}, open={2: 2, 5: 1}))
    assert (told.plays, told.opened) == (10, 3)
    assert told.discards == (Discard(1, 6, 0.6, 0), Discard(2, 3, 0.3, 2), Discard(5, 1, 0.1, 1))


def test_faults_are_told_by_kind_the_most_frequent_first() -> None:
    timeout, crash = FAULTS.index(FaultKind.TIMEOUT), FAULTS.index(FaultKind.CRASHED)
    assert told_habits(counts(fault={crash: 1, timeout: 4})).faults == (("TIMEOUT", 4), ("CRASHED", 1))


def test_nothing_counted_is_nothing_told() -> None:
    told = told_habits(counts())
    assert (told.turns, told.declared, told.plays, told.discards, told.faults) == (0, 0, 0, (), ())
    assert told.mean_total is told.half_us is told.nearly_all_us is None


@pytest.mark.parametrize(("share", "expected"), [(0.5, 20), (0.51, 50), (0.95, 50), (0.96, 1000), (1.0, 1000)])
def test_a_bound_is_the_least_that_so_many_turns_do_not_exceed(share: float, expected: int) -> None:
    assert bound({1000: 5, 20: 50, 50: 45}, share) == expected


@pytest.mark.parametrize(
    ("micros", "words"), [(10, "10 µs"), (500, "500 µs"), (1_000, "1 ms"), (500_000, "500 ms"), (2_000_000, "2 s")]
)
def test_a_time_is_written_in_the_unit_that_leaves_few_digits(micros: int, words: str) -> None:
    assert duration(Language.load("en"), micros) == words.replace(" ", "\N{NO-BREAK SPACE}")
