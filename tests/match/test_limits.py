import pytest

from arena.match.limits import Limits, LimitsError, Pace, deadline_s, overrun_ms

LIMITS = Limits(turn_ms=500, bank_ms=10_000)


def test_a_deadline_is_the_turn_limits_the_smallest_bank_and_the_margin() -> None:
    assert deadline_s(4, LIMITS, [10_000, 300, 5_000, 10_000]) == pytest.approx(2.0 + 0.3 + 0.02)


def test_time_within_the_turn_limits_costs_no_bank() -> None:
    assert overrun_ms(1.99, 4, LIMITS) == 0


def test_time_beyond_the_turn_limits_is_charged_in_equal_parts() -> None:
    assert overrun_ms(2.4, 4, LIMITS) == pytest.approx(100)


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
