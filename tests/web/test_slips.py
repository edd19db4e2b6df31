"""The form of a tournament sees for itself what no command would take."""

from __future__ import annotations

import pytest

from arena.tournament.bounds import BOUNDS, MOST_SIGNS
from arena.web.ordering import Order
from arena.web.slips import slips


@pytest.mark.parametrize(
    "order",
    [
        Order(),
        Order(name="Evening", seats=" 8 ", deals="1", strikes="1000", bank_ms="0"),
        Order(seats="10", rules="two-decks", hand_size="10"),
        Order(threshold="0", rules="ten-deals"),
        Order(format="gauntlet", challenger="greedy"),
        Order(format="swiss", rounds="3", lineups="of another format"),
        Order(beacon="draw", beacon_text="7 11 42"),
    ],
)
def test_what_can_be_played_is_not_refused(order: Order) -> None:
    assert slips(order) == {}


@pytest.mark.parametrize(
    ("order", "field", "told"),
    [
        (Order(seats=""), "", ""),
        (Order(seats="three"), "seats", "a whole number"),
        (Order(seats="9"), "seats", "from 2 to 8"),
        (Order(seats="11", decks="2"), "seats", "from 2 to 10"),
        (Order(hand_size="17"), "hand_size", "from 1 to 16"),
        (Order(deals="0"), "deals", "at least 1"),
        (Order(deals="1.5"), "deals", "at least 1"),
        (Order(threshold="0"), "deal_cap", "never end"),
        (Order(format="gauntlet"), "challenger", "needed"),
        (Order(format="informed"), "until", "needed"),
        (Order(beacon="draw"), "beacon_text", "needed"),
        (Order(beacon_text="7 11 42"), "beacon", "needed"),
        (Order(name="a/b"), "name", "slash"),
        (Order(name="--help"), "name", "begin with"),
        (Order(name="x" * (MOST_SIGNS + 1)), "name", "at most 80"),
        (Order(name="a\x1bb"), "name", "visible"),
    ],
)
def test_a_slip_is_told_at_its_field(order: Order, field: str, told: str) -> None:
    found = slips(order)
    assert set(found) == ({field} if field else set())
    assert all(told in note.told() for note in found.values())


@pytest.mark.parametrize("field", [field for field in BOUNDS if field not in ("lineups", "rounds", "most_blocks")])
def test_each_number_has_the_bounds_that_the_command_has(field: str) -> None:
    least, most = BOUNDS[field]
    assert field in slips(Order.model_validate({field: str(least - 1)}))
    assert most is None or field in slips(Order.model_validate({field: str(most + 1)}))
    assert field not in slips(Order.model_validate({field: str(least)}))
