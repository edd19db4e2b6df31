"""What a seat may know in numbers: the right ones in the right place, and nothing that is hidden."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena.env
from arena.env.actions import action_numbers
from arena.env.observations import ObservationNumbers
from arena.game.cards import parse_cards
from arena.game.chance import SeededChance
from arena.game.errors import VariantError
from arena.game.rules import decide, evolve, legal_actions, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from tests.env.tables import tables
from tests.game.tables import TWO_DECKS, do, lay, play


def part(table: State, seat: int, name: str) -> list[float]:
    numbers = ObservationNumbers(table.variant, table.seats)
    return numbers.vector(observe(table, seat))[numbers.fields[name]].tolist()  # type: ignore[no-any-return]


def cards(table: State, seat: int, name: str) -> list[bytes]:
    """The cards of each block of 52 numbers."""
    blocks = np.array(part(table, seat, name), dtype=int).reshape(-1, 52)
    return [b"".join(bytes([card]) * int(count) for card, count in enumerate(block)) for block in blocks]


@pytest.fixture
def table() -> State:
    """Three seats; the first threw two sevens, the second took one of them for a four, the third is to act."""
    laid = lay("7s 7h 2c", "3d 4c 9h", "5c As Kd", upcard="9s", points=(11, 0, 40), lap=1)
    do(laid, play("7s 7h"))
    do(laid, play("4c", "7h"))
    return laid


def test_the_cards_are_where_the_seat_knows_them(table: State) -> None:
    assert cards(table, 2, "hand") == [parse_cards("5c Kd As")]
    assert cards(table, 2, "open") == [parse_cards("4c")]
    assert cards(table, 2, "dead") == [parse_cards("7s 9s")]
    assert cards(table, 2, "held") == [b"", parse_cards("7h")]


def test_parts_by_seat_begin_with_the_seat_that_looks_and_go_on_clockwise(table: State) -> None:
    assert part(table, 2, "points") == [40, 11, 0]
    assert part(table, 1, "points") == [0, 40, 11]
    assert part(table, 1, "cards") == [3, 3, 2]
    assert part(table, 1, "starter") == [0, 0, 1]
    assert cards(table, 0, "held") == [parse_cards("7h"), b""]
    assert cards(table, 1, "held") == [b"", b""]


def test_the_rest_is_what_the_view_says(table: State) -> None:
    singles = {name: part(table, 2, name) for name in ("closed", "lap", "may_take_closed", "may_declare")}
    assert singles == {"closed": [41], "lap": [0], "may_take_closed": [1], "may_declare": [1]}
    assert part(table, 1, "lap") == [1]


def test_a_seat_that_is_out_is_marked(table: State) -> None:
    table.hands[0] = None
    assert part(table, 2, "out") == [0, 1, 0]


@pytest.mark.parametrize(("deal_cap", "deal", "left"), [(0, 7, 0), (5, 0, 5), (5, 4, 1)])
def test_the_deals_that_are_left_include_this_one(deal_cap: int, deal: int, left: int) -> None:
    assert part(lay("2c", "3c", variant=Variant(deal_cap=deal_cap), deal=deal), 0, "deals_left") == [left]


def test_copies_of_a_card_are_counted() -> None:
    assert cards(lay(bytes([4, 56, 20]), "Kc", variant=TWO_DECKS), 0, "hand") == [parse_cards("5c 5c 8d")]


@settings(max_examples=30, deadline=None)
@given(tables(), st.binary(min_size=32, max_size=32), st.lists(st.integers(0, 999), max_size=40), st.data())
def test_numbers_stay_within_their_range_and_tell_nothing_hidden(
    table: tuple[Variant, int], seed: bytes, choices: list[int], data: st.DataObject
) -> None:
    variant, seats = table
    numbers = ObservationNumbers(variant, seats)
    state = new_match(variant, seats, SeededChance(seed, variant.decks))
    for choice in choices:
        if (legal := list(legal_actions(state))) and state.outcome is None:
            evolve(state, decide(state, legal[choice % len(legal)]))
    seat = data.draw(st.integers(0, seats - 1))
    vector = numbers.vector(observe(state, seat))
    assert vector.dtype == numbers.high.dtype
    assert vector.shape == numbers.high.shape
    assert (vector >= 0).all()
    assert (vector <= numbers.high).all()
    twin = permuted(state, seat, data)
    assert np.array_equal(numbers.vector(observe(twin, seat)), vector)
    if state.seat == seat:
        actions = action_numbers(variant.hand_size)
        assert np.array_equal(actions.mask(observe(twin, seat)), actions.mask(observe(state, seat)))


def permuted(state: State, seat: int, data: st.DataObject) -> State:
    """The same table with the cards exchanged that are hidden from this seat."""
    twin = state.copy()
    hidden = twin.closed + b"".join(hand or b"" for other, hand in enumerate(twin.hands) if other != seat)
    left = bytes(data.draw(st.permutations(hidden)))
    for other, hand in enumerate(twin.hands):
        if other != seat and hand is not None:
            twin.hands[other], left = left[: len(hand)], left[len(hand) :]
    twin.closed = left
    return twin


def test_the_page_names_every_part_in_order() -> None:
    text = (Path(arena.env.__file__).parent / "README.md").read_text()
    table = text[text.index("| part |") :]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(ObservationNumbers(Variant(), 4).fields)


def test_tables_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(VariantError, match="seats must be 2 to 8"):
        ObservationNumbers(Variant(), 9)
