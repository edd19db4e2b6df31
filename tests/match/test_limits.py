import pytest

from arena.match.limits import (
    STUCK_S,
    Limits,
    LimitsError,
    Pace,
    deadline_s,
    most_waiting_s,
    moved_deadline_s,
    overrun_ms,
    waiting_s,
)

LIMITS = Limits(turn_ms=500, bank_ms=10_000)


def test_a_deadline_is_the_turn_limits_the_smallest_bank_and_the_margin() -> None:
    assert deadline_s(4, LIMITS, [10_000, 300, 5_000, 10_000]) == pytest.approx(2.0 + 0.3 + 0.02)


def test_time_within_the_turn_limits_costs_no_bank() -> None:
    assert overrun_ms(1.99, 4, LIMITS) == 0


def test_time_beyond_the_turn_limits_is_charged_in_equal_parts() -> None:
    assert overrun_ms(2.4, 4, LIMITS) == pytest.approx(100)


def test_time_that_a_bot_waited_for_a_core_is_not_its_own() -> None:
    assert waiting_s(elapsed_s=0.9, ran_s=0.2, waited_s=0.5, arena_s=0.0) == pytest.approx(0.5)


def test_what_a_bot_ran_is_its_own_however_long_its_threads_waited_for_each_other() -> None:
    assert waiting_s(elapsed_s=1.0, ran_s=0.9, waited_s=50.0, arena_s=0.0) == pytest.approx(0.1)
    assert waiting_s(elapsed_s=1.0, ran_s=1.9, waited_s=50.0, arena_s=0.0) == 0


def test_the_arenas_own_delay_is_never_the_bots_whatever_that_ran() -> None:
    assert waiting_s(elapsed_s=1.0, ran_s=1.5, waited_s=0.3, arena_s=0.4) == pytest.approx(0.4)
    assert waiting_s(elapsed_s=1.0, ran_s=0.2, waited_s=0.3, arena_s=0.4) == pytest.approx(0.7)


def test_no_more_is_taken_off_a_call_than_it_lasted() -> None:
    assert waiting_s(elapsed_s=0.5, ran_s=0.0, waited_s=2.0, arena_s=2.0) == 0.5


def test_a_passed_deadline_moves_by_what_was_waited() -> None:
    assert moved_deadline_s(0.52, 0.52, 5.0, 0.3, stuck=False) == pytest.approx(0.82)


def test_a_deadline_is_missed_once_the_waiting_is_used_up() -> None:
    assert moved_deadline_s(0.82, 0.52, 5.0, 0.3, stuck=False) is None
    assert moved_deadline_s(0.52, 0.52, 5.0, 0.001, stuck=False) is None


def test_a_bot_that_gets_no_core_now_is_given_a_little_and_looked_at_again() -> None:
    assert moved_deadline_s(0.52, 0.52, 5.0, 0.0, stuck=True) == pytest.approx(0.52 + STUCK_S)


@pytest.mark.parametrize("stuck", [False, True])
def test_no_waiting_moves_a_deadline_beyond_its_bound(stuck: bool) -> None:
    assert moved_deadline_s(5.4, 0.52, 5.0, 99.0, stuck=stuck) == pytest.approx(5.52)
    assert moved_deadline_s(5.52, 0.52, 5.0, 99.0, stuck=stuck) is None


def test_the_bound_is_ten_turn_limits_for_each_turn() -> None:
    assert most_waiting_s(3, LIMITS) == 15.0


def test_a_pace_doubles_up_to_what_the_bot_takes() -> None:
    pace = Pace(LIMITS)
    seen = []
    for _ in range(8):
        seen.append(pace.most)
        pace.answered(pace.most, 0.001 * pace.most, 20)
    assert seen == [1, 2, 4, 8, 16, 20, 20, 20]


def test_a_pace_grows_only_while_its_turns_fit_into_one_limit() -> None:
    pace = Pace(LIMITS)
    for _ in range(8):
        pace.answered(pace.most, 0.1 * pace.most, 64)
    assert pace.most == 4


def test_one_slow_turn_in_twenty_does_not_hold_a_pace_back_and_two_do() -> None:
    for slow_turns, most in ((1, 4), (2, 2)):
        pace = Pace(LIMITS)
        for elapsed_s in [0.2] * slow_turns + [0.001] * (20 - slow_turns):
            pace.answered(1, elapsed_s, 64)
        assert pace.most == most


def test_a_failed_call_sets_the_pace_back_to_one() -> None:
    pace = Pace(LIMITS)
    for _ in range(5):
        pace.answered(pace.most, 0.001, 64)
    pace.failed()
    assert pace.most == 1


@pytest.mark.parametrize("max_batch", [0, 1])
def test_a_bot_that_takes_no_batches_is_asked_a_turn_at_a_time(max_batch: int) -> None:
    pace = Pace(LIMITS)
    for _ in range(3):
        pace.answered(1, 0.001, max_batch)
    assert pace.most == 1


def test_limits_survive_their_dictionary() -> None:
    limits = Limits(turn_ms=100, bank_ms=0, strikes=1, show_names=True)
    assert Limits.from_dict(limits.as_dict()) == limits


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"turn_ms": 0}, "turn_ms"),
        ({"bank_ms": -1}, "bank_ms"),
        ({"strikes": 0}, "strikes"),
        ({"strikes": True}, "strikes"),
        ({"show_names": 1}, "show_names"),
        ({"turn_ms": 1.5}, "turn_ms"),
    ],
)
def test_impossible_limits_are_refused_by_name(values: dict[str, object], named: str) -> None:
    with pytest.raises(LimitsError, match=named):
        Limits.from_dict({**LIMITS.as_dict(), **values})


@pytest.mark.parametrize("values", [{}, {"turn_ms": 1}, {**LIMITS.as_dict(), "tables": 3}])
def test_limits_need_exactly_their_fields(values: dict[str, object]) -> None:
    with pytest.raises(LimitsError, match="exactly the fields"):
        Limits.from_dict(values)
