import pytest

from arena.analysis.policies import Greedy
from arena.game.actions import Action, Declare
from arena.game.view import observe
from tests.game.tables import lay, play

GREEDY = Greedy()


def answer(hand: str, upcard: str, *, lap: int = 1, greedy: Greedy = GREEDY) -> Action:
    return greedy(observe(lay(hand, "Kc Kd Ks Qc Qd", upcard=upcard, lap=lap), 0))


@pytest.mark.parametrize(
    ("hand", "upcard", "expected"),
    [
        ("2c 9h 9d", "Ah", play("9d 9h", "Ah")),
        ("2c 9h 9d", "4h", play("9d 9h", "4h")),
        ("2c 9h 9d", "5h", play("9d 9h", "closed")),
        ("Ac 2h 3d 9s", "Kh", play("9s", "closed")),
    ],
)
def test_the_largest_sum_goes_and_only_a_cheap_card_is_taken(hand: str, upcard: str, expected: Action) -> None:
    assert answer(hand, upcard) == expected


def test_a_small_hand_is_declared_where_that_is_allowed() -> None:
    assert answer("2c 3h", "Kh") == Declare()
    assert answer("2c 3h", "Kh", lap=0) != Declare()
    assert answer("2c 4h", "Kh") != Declare()
    assert answer("2c 4h", "Kh", greedy=Greedy(declare_at=6)) == Declare()
