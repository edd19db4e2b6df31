"""Many deals at once go as the rules say: checked against the referee's own rules, deal by deal."""

import numpy as np
import pytest

from arena.analysis.deals import Tables, play_deals, points_declared, points_shown
from arena.analysis.hands import hand_tables, number_of
from arena.analysis.policies import Greedy
from arena.analysis.styles import greedy_style
from arena.game.cards import RANK, parse_cards
from arena.game.chance import SeededChance
from arena.game.events import Played
from arena.game.rules import decide, evolve, new_match
from arena.game.scoring import points_of_declaration, points_of_showdown
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe

GREEDY = Greedy()


@pytest.mark.parametrize("variant", [Variant(), Variant(tie_holds=False, penalty=7)])
def test_points_are_those_of_the_rules(variant: Variant) -> None:
    totals = np.random.default_rng(1).integers(1, 6, (200, 3))
    for own, declared, shown in zip(
        totals.tolist(), points_declared(totals, 1, variant).tolist(), points_shown(totals).tolist(), strict=True
    ):
        assert tuple(declared) == points_of_declaration(own, 1, variant)
        assert tuple(shown) == points_of_showdown(own)


def played_by_rules(state: State) -> tuple[list[int], list[int | None]]:
    """Play the deal with `Greedy`: the ranks that came from the closed deck by turn (0 for none), and the points."""
    drawn = []
    while not state.past_deals:
        events = decide(state, GREEDY(observe(state, state.seat)))
        if isinstance(events[0], Played):
            drawn.append(0 if events[0].take is not None else RANK[events[0].card])
        evolve(state, events)
    return drawn, list(state.past_deals[0].points)


@pytest.mark.parametrize(("seats", "variant"), [(2, Variant()), (4, Variant(tie_holds=False)), (3, Variant(lap_cap=3))])
def test_a_deal_goes_as_the_rules_play_it(seats: int, variant: Variant) -> None:
    for number in range(40):
        state = new_match(variant, seats, SeededChance(bytes([number] * 32), 1))
        hands = np.array([[number_of(hand or b"") for hand in state.hands]])
        top = np.array([number_of(state.open)])
        drawn, points = played_by_rules(state)
        tables = Tables(
            hands, top, np.array([drawn or [0]]), variant.lap_cap * seats, np.zeros_like(hands), (0,) * seats
        )
        style = greedy_style(variant.mixed_pairs)
        assert play_deals(tables, style.tables, [style] * seats, variant).tolist() == [points]


def test_a_deck_that_is_used_up_begins_again() -> None:
    king, ten = number_of(parse_cards("Kc")), number_of(parse_cards("Td"))
    tables = Tables(np.array([[king, king]]), np.array([ten]), np.array([[11, 0]]), 6, np.zeros((1, 2), int), (1, 1))
    points = play_deals(tables, hand_tables(False), [greedy_style(False)] * 2, Variant())
    assert points.tolist() == [[9, 0]]
    assert hand_tables(False).total[king] == 10
