"""Rules 2, 4 and 5: a turn is one play or a declaration; what may be taken, and where the cards go."""

from typing import Any, cast

import pytest

from arena.game.actions import Declare, Play
from arena.game.cards import DECKS, card_names, fold, parse_card, parse_cards
from arena.game.discards import legal_discards
from arena.game.errors import IllegalAction, IllegalReason, MatchOver
from arena.game.events import DealEnd, DealEnded, Declared, Played
from arena.game.rules import decide, decide_forfeit, legal_actions, new_match, substitute
from arena.game.state import State
from arena.game.variant import Variant
from tests.game.tables import STANDARD, TWO_DECKS, Scripted, declare_with, do, lay, lay_totals, play


def refused(table: State, action: Play | Declare) -> IllegalReason:
    with pytest.raises(IllegalAction) as error:
        decide(table, action)
    return error.value.reason


def got(table: State, action: Play) -> Played:
    """Play, and return the play as it happened."""
    (played,) = do(table, action)
    assert isinstance(played, Played)
    return played


def hand(table: State, seat: int) -> str:
    return card_names(bytes(sorted(table.hands[seat] or b"")))


def test_a_new_deal_opens_with_the_upcard_alone() -> None:
    table = lay("As 2h", "3d 4c", upcard="9s")
    assert card_names(table.open) == "9s"
    assert do(table, play("As", "9s")) == (Played(0, parse_cards("As"), parse_card("9s"), parse_card("9s"), b""),)
    assert hand(table, 0) == card_names(bytes(sorted(parse_cards("2h 9s"))))


def test_without_an_upcard_the_starter_must_take_closed() -> None:
    table = new_match(Variant(upcard=False), 3, Scripted())
    assert table.open == b""
    assert {action.take for action in legal_actions(table) if isinstance(action, Play)} == {None}


def test_any_one_of_the_open_cards_may_be_taken_and_the_rest_is_dead() -> None:
    table = lay("7s 8h 9d Ks", "2c 3d", "4h Jd", upcard="Ac")
    do(table, play("7s 8h 9d"))
    assert sorted(table.open) == sorted(parse_cards("7s 8h 9d"))
    assert refused(table, play("2c", "Ks")) is IllegalReason.CARD_NOT_OPEN
    assert refused(table, play("2c", "Ac")) is IllegalReason.CARD_NOT_OPEN
    do(table, play("2c", "8h"))
    assert hand(table, 1) == "3d 8h"
    assert card_names(table.open) == "2c"
    assert sorted(table.dead) == sorted(parse_cards("Ac 7s 9d"))
    for dead in ("7s", "9d", "8h"):
        assert refused(table, play("4h", dead)) is IllegalReason.CARD_NOT_OPEN


@pytest.mark.parametrize("name", [-1, 52, 57, 255, 300])
def test_what_is_no_name_is_no_open_card(name: int) -> None:
    table = lay(bytes([0, 1]), bytes([2, 3]), upcard="6c", variant=TWO_DECKS)
    assert refused(table, Play(bytes([0]), name)) is IllegalReason.CARD_NOT_OPEN


def test_a_seat_never_takes_its_own_discard() -> None:
    table = lay("As 2h", "3d 4c", upcard="9s")
    assert refused(table, play("As", "As")) is IllegalReason.CARD_NOT_OPEN
    do(table, play("As"))
    do(table, play("3d"))
    assert refused(table, play("2h", "As")) is IllegalReason.CARD_NOT_OPEN


def test_taking_comes_after_discarding() -> None:
    table = lay("4h 5c 9c", "2c 3d", upcard="6h")
    assert refused(table, play("4h 5c 6h", "6h")) is IllegalReason.CARD_NOT_HELD
    assert refused(table, play("4h 5c 6h")) is IllegalReason.CARD_NOT_HELD


@pytest.mark.parametrize(
    ("discard", "left"),
    [("As", 5), ("As Ah", 4), ("3c 4d 5h", 3), ("9s 9h 9d 9c", 2), ("2s 5s 8s Js Ks", 1), ("As 2d 3h 4c 5s", 1)],
)
def test_a_hand_becomes_one_card_larger_than_what_was_kept(discard: str, left: int) -> None:
    cards = parse_cards(discard)
    fill = bytes(card for card in parse_cards("Kc Qd Jh Ts 8d") if card not in cards)[: 5 - len(cards)]
    table = lay(cards + fill, "6c 7d 8h", upcard="6h")
    do(table, Play(cards, None))
    assert len(table.hands[0] or b"") == left


def test_judging_goes_from_the_discard_to_the_take() -> None:
    table = lay("As 2h", "3d 4c", upcard="9s")
    assert refused(table, play("", "Kd")) is IllegalReason.EMPTY_DISCARD
    assert refused(table, play("Kd", "Kd")) is IllegalReason.CARD_NOT_HELD
    assert refused(table, play("As 2h", "Kd")) is IllegalReason.NOT_A_SET
    assert refused(table, play("As", "Kd")) is IllegalReason.CARD_NOT_OPEN


def test_a_discard_lies_open_in_canonical_order_however_it_was_said() -> None:
    table = lay("9d 7s 8h Ks", "2c 3d", upcard="Ac")
    played = got(table, play("8h 7s 9d"))
    assert card_names(played.discard) == card_names(table.open) == "9d 8h 7s"


def test_a_closed_take_gets_the_first_card_of_the_seats_own_order_that_is_still_closed() -> None:
    orders = {(0, "0", 0): parse_cards("3d 9s 2h 7d Kd"), (0, "1", 0): parse_cards("7d 8d")}
    table = lay("As 2h", "3d 4c", upcard="9s", chance=Scripted(orders))
    played = got(table, play("As"))
    assert card_names(bytes([played.card])) == "7d"
    played = got(table, play("3d"))
    assert card_names(bytes([played.card])) == "8d"
    played = got(table, play("2h"))
    assert card_names(bytes([played.card])) == "Kd"


def nearly_empty(closed: str, dead: str = "2c 9d Js") -> State:
    """Return a table where seat 0 holds Qh, 4c 4d lie open, and seat 1 holds all other cards."""
    placed = parse_cards(f"Qh 4c 4d {closed} {dead}")
    orders = {(0, "0", 1): parse_cards("Qh 4c 9d"), (0, "1", 1): parse_cards("9d Js"), (0, "0", 0): parse_cards(closed)}
    table = lay("Qh", DECKS[1].translate(None, placed), chance=Scripted(orders))
    table.open, table.closed, table.dead = map(parse_cards, ("4c 4d", closed, dead))
    return table


def test_an_empty_closed_deck_is_refilled_with_the_dead_cards_only() -> None:
    table = nearly_empty("")
    played = got(table, play("Qh"))
    assert sorted(played.refilled) == sorted(parse_cards("2c 9d Js"))
    assert card_names(bytes([played.card])) == "9d", "after a refill every stream starts from its new order"
    assert sorted(table.closed) == sorted(parse_cards("2c Js"))
    assert card_names(table.open) == "Qh"
    assert sorted(table.dead) == sorted(parse_cards("4c 4d"))
    played = got(table, play("Kc"))
    assert card_names(bytes([played.card])) == "Js"
    assert played.refilled == b""


def test_the_last_closed_card_is_taken_without_a_refill() -> None:
    table = nearly_empty("2c", dead="9d Js")
    played = got(table, play("Qh"))
    assert (card_names(bytes([played.card])), played.refilled) == ("2c", b"")
    assert table.closed == b""


def test_taking_an_open_card_never_refills() -> None:
    table = nearly_empty("")
    played = got(table, play("Qh", "4d"))
    assert played.refilled == b""
    assert sorted(table.dead) == sorted(parse_cards("2c 9d Js 4c"))


def test_without_closed_and_dead_cards_an_open_card_must_be_taken() -> None:
    table = nearly_empty("", dead="")
    assert refused(table, play("Qh")) is IllegalReason.CLOSED_DECK_EMPTY
    assert list(legal_actions(table)) == [play("Qh", "4c"), play("Qh", "4d")]


def test_orders_start_anew_after_each_refill() -> None:
    table = nearly_empty("")
    table.refills = 4
    cast(Any, table.chance).orders[0, "0", 5] = parse_cards("Js")
    played = got(table, play("Qh"))
    assert card_names(bytes([played.card])) == "Js"


def test_with_two_decks_the_lower_copy_leaves_the_hand_and_the_open_cards() -> None:
    table = lay(bytes([57, 5, 8]), bytes([9, 61, 20]), bytes([1, 2]), upcard="Kd", variant=TWO_DECKS)
    played = got(table, Play(bytes([5]), None))
    assert played.discard == bytes([5])
    table.open = bytes([57, 5])
    played = got(table, Play(bytes([20]), 5))
    assert (played.take, played.card) == (5, 5)
    assert 57 in table.dead


def test_with_two_decks_the_second_copy_is_taken_when_it_is_the_only_one() -> None:
    table = lay(bytes([0, 1]), bytes([2, 3]), variant=TWO_DECKS)
    table.open = bytes([57])
    played = got(table, Play(bytes([0]), 5))
    assert (played.take, played.card) == (57, 57)
    assert table.events_of_deal[-1].taken == 5  # type: ignore[union-attr]


def test_nobody_may_declare_on_the_first_turn_of_any_deal() -> None:
    table = lay_totals((5, 9, 9))
    for card in ("5c", "9c", "9d"):
        assert refused(table, Declare()) is IllegalReason.DECLARE_ON_FIRST_TURN
        assert Declare() not in list(legal_actions(table))
        do(table, play(card))
    assert Declare() in list(legal_actions(table)), "the starter's second turn"
    events = do(table, Declare())
    assert events[0] == Declared(0)
    assert table.deal == 1
    assert refused(table, Declare()) is IllegalReason.DECLARE_ON_FIRST_TURN


def test_there_is_no_limit_on_the_total_of_a_declaration() -> None:
    assert declare_with(lay_totals((50, 1)), 0, (50, 1))[1] == DealEnded(DealEnd.DECLARED, (50, 1), (69, 0))


def test_a_substituted_play_sheds_the_highest_card_and_takes_closed() -> None:
    assert substitute(lay("As Td Kc Ks Qh", "3d", upcard="Ac")) == play("Ks")
    assert substitute(lay("Td Qh Jc 9s", "3d", upcard="Ac")) == play("Qh"), "the later of the ten-valued cards"
    assert substitute(lay("Kd Th", "3d", upcard="Ac")) == play("Th")


def test_a_substituted_play_takes_the_lowest_open_card_when_there_is_no_closed_one() -> None:
    table = nearly_empty("", dead="")
    assert substitute(table) == play("Qh", "4c")
    table.open = parse_cards("9d 4d")
    assert substitute(table) == play("Qh", "4d")


def test_copies_do_not_count_in_a_substituted_play() -> None:
    table = lay(bytes([12 + 52, 25, 11]), bytes([1]), variant=TWO_DECKS)
    assert substitute(table) == Play(bytes([25]), None)
    table.closed = table.dead = b""
    table.open = bytes([13, 52])
    assert substitute(table) == Play(bytes([25]), 0)


def test_nobody_acts_when_the_match_is_over() -> None:
    table = lay_totals((1, 60))
    declare_with(table, 0, (1, 60))
    assert table.outcome is not None
    assert list(legal_actions(table)) == []
    for act in (
        lambda: decide(table, Declare()),
        lambda: decide(table, play("As")),
        lambda: decide_forfeit(table),
        lambda: substitute(table),
    ):
        with pytest.raises(MatchOver):
            act()


def test_legal_actions_are_each_discard_with_each_take() -> None:
    table = lay("7s 7h", "3d 4c", upcard="9s")
    discards = legal_discards(parse_cards("7s 7h"), STANDARD)
    assert list(legal_actions(table)) == [
        Play(discard, take) for discard in discards for take in (None, *fold(table.open))
    ]
