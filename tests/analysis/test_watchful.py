"""Who watches the others declares and plays by what is seen of them, and wins from those who do not."""

import numpy as np
import pytest

from arena.analysis.deals import play_deals
from arena.analysis.declaring import Opponent
from arena.analysis.hands import hand_tables, number_of
from arena.analysis.learning import PLAIN, dealt, learn
from arena.analysis.players import Player
from arena.analysis.styles import paced_style, planner_style
from arena.analysis.watchful import watchful, watchful_of_costs
from arena.game.cards import parse_cards

TABLES = hand_tables(False)


def gain(upper: Player, lower: Player, seats: int, deals: int) -> float:
    """The points a deal that every second seat gains on the others, the same cards played from both sides."""
    gained = []
    for first in range(2):
        tables = dealt(seats, deals, np.random.default_rng(seats))
        players = [lower if (seat + first) % 2 else upper for seat in range(seats)]
        points = play_deals(tables, TABLES, players, PLAIN)
        gained.append(points[:, 1 - first :: 2].mean() - points[:, first::2].mean())
    return float(np.mean(gained))


def ends(hand: str, *others: tuple[int, int, int]) -> bool:
    seen = [Opponent(np.array([cards]), np.array([fresh]), turns) for cards, fresh, turns in others]
    return bool(watchful(False, 1 + len(others)).ends(np.array([number_of(parse_cards(hand))]), seen)[0])


@pytest.mark.parametrize("seats", [2, 4])
def test_it_wins_from_a_style_that_is_the_same_in_every_situation(seats: int) -> None:
    assert gain(watchful(False, seats), paced_style(False, seats), seats, deals=3000) > 0.15


@pytest.mark.parametrize(("seats", "least"), [(2, 2.3), (4, 1.8)])
def test_it_has_learned_to_win_from_who_only_looks_ahead(seats: int, least: float) -> None:
    assert gain(watchful(False, seats), planner_style(False), seats, deals=10_000) > least


def test_it_declares_what_is_low_against_these_others_only() -> None:
    assert ends("Ac 2c 5c", (5, 0, 1))
    assert not ends("Ac 2c 5c", (2, 0, 4))
    assert ends("Ac", (2, 0, 4))
    assert not ends("Kc Qc 9c", (5, 0, 1))


def test_its_situations_are_in_order_and_all_hands_have_a_cost() -> None:
    for mixed_pairs in (False, True):
        for players in (2, 4):
            player = watchful(mixed_pairs, players)
            assert (np.diff(player.edges) > 0).all()
            assert player.costs.shape == (len(player.edges) + 1, len(TABLES.size))
            assert np.isfinite(player.costs).all()


@pytest.mark.slow
def test_two_rounds_of_self_play_teach_it() -> None:
    edges, costs = learn(2, np.random.default_rng(1), rounds=2, deals=4000, times=3)
    assert gain(watchful_of_costs(TABLES, edges, costs), paced_style(False, 2), 2, deals=3000) > 0.3
