import numpy as np

from arena.analysis.foresight import foreseen
from arena.game.view import observe
from tests.game.tables import lay, play


def test_a_low_card_is_better_than_an_unseen_one_and_a_high_one_is_worse() -> None:
    view = observe(lay("Kc Kd 5c", "9c 8c 7h", upcard="Ah", lap=1), 0)
    low, unseen = foreseen(view, [play("Kc Kd", "Ah"), play("Kc Kd")])
    assert low < unseen
    high, unseen = foreseen(observe(lay("Kc Kd 5c", "9c 8c 7h", upcard="Qh", lap=1), 0), [play("5c", "Qh"), play("5c")])
    assert unseen < high


def test_the_same_hand_costs_more_the_lower_the_others_may_be() -> None:
    plays = [play("Kc Kd"), play("5c")]
    many, few = (
        foreseen(observe(lay("Kc Kd 5c", others, upcard="Qh", lap=1), 0), plays) for others in ("9c 8c 7h 4d 2s", "9c")
    )
    assert (many < few).all()


def test_it_is_told_from_what_a_seat_may_know() -> None:
    hands = ("9c 8c 7h", "As 2s 3s")
    one, other = (foreseen(observe(lay("Kc Kd 5c", hand, upcard="Qh", lap=1), 0), [play("Kc Kd")]) for hand in hands)
    assert np.array_equal(one, other)
