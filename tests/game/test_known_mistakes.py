"""What programs for this game are known to get wrong, each as a rule that holds here."""

from itertools import permutations

import pytest

from arena.game.actions import Declare, Play
from arena.game.cards import DECKS, card_names, parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.discards import DiscardKind, check_discard
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.events import Dealt, Ending, Played
from arena.game.rules import decide, legal_actions, new_match, substitute
from arena.game.scoring import places
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import PublicView, observe
from tests.game.tables import SEED, STANDARD, TWO_DECKS, declare_with, do, forfeit, lay, lay_totals, play


def refuses(table: State, action: Play | Declare) -> IllegalReason:
    with pytest.raises(IllegalAction) as error:
        decide(table, action)
    return error.value.reason


@pytest.mark.parametrize("variant", [STANDARD, TWO_DECKS])
def test_one_card_said_twice_is_no_pair(variant: Variant) -> None:
    table = lay("Kh 3c", "2c", variant=variant)
    assert refuses(table, play("Kh Kh")) is IllegalReason.CARD_NOT_HELD
    assert refuses(table, play("3c Kh Kh")) is IllegalReason.CARD_NOT_HELD


@pytest.mark.parametrize("rank", "A23456789TJQK")
def test_three_of_a_kind_is_no_set_and_four_are(rank: str) -> None:
    hand = parse_cards(" ".join(rank + suit for suit in "cdhs"))
    table = lay(hand, "2c" if rank != "2" else "3c")
    for three in permutations(hand, 3):
        assert refuses(table, Play(bytes(three), None)) is IllegalReason.NOT_A_SET
    assert check_discard(hand, hand, STANDARD) is DiscardKind.TWO_PAIRS


def test_queen_king_ace_is_a_run() -> None:
    assert check_discard(parse_cards("Qd Kh Ac"), parse_cards("Qd Kh Ac"), STANDARD) is DiscardKind.RUN


def test_the_card_just_taken_is_not_discarded_in_the_same_turn() -> None:
    table = lay("7s 2c", "3c", upcard="7h")
    assert refuses(table, play("7s 7h", "7h")) is IllegalReason.CARD_NOT_HELD


@pytest.mark.parametrize("wanted", ["7s", "8h", "9d"])
def test_each_of_several_discarded_cards_can_be_taken(wanted: str) -> None:
    table = lay("7s 8h 9d Ks", "2c", upcard="Ac")
    do(table, play("7s 8h 9d"))
    (played,) = do(table, play("2c", wanted))
    assert isinstance(played, Played)
    assert played.card == parse_card(wanted)


def emptied(seats: int = 3) -> State:
    """Play closed takes until the closed deck is empty."""
    table = new_match(Variant(), seats, SeededChance(SEED, 1))
    while table.closed:
        do(table, substitute(table))
    return table


def test_a_refill_takes_neither_open_nor_held_cards_nor_the_new_discard() -> None:
    table = emptied()
    held = b"".join(hand or b"" for hand in table.hands)
    open_before = table.open
    (played,) = do(table, substitute(table))
    assert isinstance(played, Played)
    assert played.refilled
    assert not set(played.refilled) & {*held, *open_before, *played.discard}
    assert set(open_before) <= set(table.dead)


def test_a_refilled_deck_is_dealt_by_new_orders() -> None:
    table = emptied()
    (played,) = decide(table, substitute(table))
    assert isinstance(played, Played)
    order = SeededChance(SEED, 1).order(0, str(table.seat), 1).cards(52)
    assert played.card == next(card for card in order if card in played.refilled)
    assert played.card not in (played.refilled[0], played.refilled[-1])


def test_an_empty_deck_stops_nobody() -> None:
    table = emptied(8)
    for _ in range(100):
        assert list(legal_actions(table))
        do(table, substitute(table))


@pytest.mark.parametrize(("decks", "seats"), [(1, 8), (2, 10)])
def test_no_card_is_missing_from_the_deck(decks: int, seats: int) -> None:
    table = new_match(Variant(decks=decks), seats, SeededChance(SEED, decks))
    placed = b"".join([table.closed, table.open, *(hand or b"" for hand in table.hands)])
    assert sorted(placed) == list(DECKS[decks])


def test_an_action_is_always_that_of_the_seat_to_act() -> None:
    table = lay("Kc Kd", "Kh Ks", "2c 2d", upcard="9s")
    assert refuses(table, play("Kh")) is IllegalReason.CARD_NOT_HELD
    (played,) = do(table, play("Kc"))
    assert isinstance(played, Played)
    assert (played.seat, table.seat) == (0, 1)
    assert refuses(table, play("Kd")) is IllegalReason.CARD_NOT_HELD
    assert Declare() == (), "a declaration cannot name a seat"


def test_nobody_declares_in_the_first_lap_of_a_later_deal() -> None:
    table = lay_totals((5, 5))
    declare_with(table, 0, (5, 5))
    assert refuses(table, Declare()) is IllegalReason.DECLARE_ON_FIRST_TURN


def test_neither_totals_of_opponents_nor_the_seed_are_in_a_public_view() -> None:
    table = new_match(Variant(), 3, SeededChance(SEED, 1))
    assert PublicView._fields == (
        *("variant", "deal", "starter", "upcard", "seats", "events", "past"),
        *("open", "closed_count", "may_take_closed", "may_declare"),
    )
    text = repr(observe(table, 0).public)
    assert repr(SEED) not in text
    for hand in table.hands:
        assert repr(bytes(sorted(hand or b""))) not in text


def test_the_first_seat_does_not_start_every_deal() -> None:
    table = lay_totals((5, 5, 5))
    starters = []
    for _ in range(4):
        starters.append(table.starter)
        declare_with(table, 1, (5, 5, 5))
    assert starters == [0, 1, 2, 0]


def test_a_deal_that_is_not_finished_credits_nobody() -> None:
    table = lay_totals((1, 50), points=[10, 0])
    forfeit(table)
    assert table.points == [10, 0]
    assert table.outcome is not None
    assert (table.outcome.ending, table.outcome.places, table.outcome.points) == (Ending.FORFEIT, (2, 1), (10, 0))


def test_points_go_to_the_seat_that_held_the_hand() -> None:
    table = lay_totals((5, 5, 5, 5))
    declare_with(table, 2, (17, 12, 10, 30))
    assert table.points == [7, 2, 0, 20]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_ties_are_not_broken_by_the_number_of_the_seat(order: tuple[int, ...]) -> None:
    points = [(10, 10, 30)[position] for position in order]
    assert places(points, [None] * 3, [False] * 3, Ending.DEAL_CAP) == tuple((1, 1, 3)[position] for position in order)


def test_the_next_deal_is_dealt_from_a_whole_deck_again() -> None:
    table = new_match(Variant(), 2, SeededChance(SEED, 1))
    for _ in range(4):
        do(table, substitute(table))
    dealt = do(table, Declare())[-1]
    assert isinstance(dealt, Dealt)
    assert len(table.closed) == 52 - 10 - 1
    assert card_names(table.dead) == ""
