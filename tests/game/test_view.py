"""What a seat may know, and what it must not."""

from arena.game.actions import Declare
from arena.game.cards import parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.events import DealEnd
from arena.game.rules import new_match, substitute
from arena.game.variant import Variant
from arena.game.view import PastDeal, PublicForfeit, PublicPlay, SeatView, observe, public_view
from tests.game.tables import SEED, TWO_DECKS, declare_with, do, forfeit, lay, lay_totals, play


def test_a_seat_sees_its_own_hand_in_canonical_order() -> None:
    table = lay("Ks 2d Ac", "3h 4s", upcard="9c")
    assert observe(table, 0).hand == parse_cards("Ac 2d Ks")
    assert observe(table, 1).hand == parse_cards("3h 4s")
    assert observe(table, 0).public == observe(table, 1).public == public_view(table)


def test_the_public_view_of_a_new_deal() -> None:
    table = new_match(Variant(), 3, SeededChance(SEED, 1))
    view = public_view(table)
    assert (view.deal, view.starter, view.upcard, view.open) == (0, 0, table.open[0], table.open)
    assert view.seats == (SeatView(5, 0, False),) * 3
    assert (view.events, view.past) == ((), ())
    assert (view.closed_count, view.may_take_closed, view.may_declare) == (36, True, False)
    assert view.variant == Variant()


def test_without_an_upcard_there_is_none_to_see() -> None:
    view = public_view(new_match(Variant(upcard=False), 3, SeededChance(SEED, 1)))
    assert (view.upcard, view.open) == (None, b"")


def test_a_play_shows_discard_and_open_take_but_no_closed_card() -> None:
    table = lay("7s 7h", "3d 4c", "5c", upcard="9s")
    do(table, play("7s 7h"))
    do(table, play("4c", "7h"))
    assert public_view(table).events == (
        PublicPlay(0, parse_cards("7h 7s"), None, 0),
        PublicPlay(1, parse_cards("4c"), parse_card("7h"), 0),
    )
    assert public_view(table).open == parse_cards("4c")


def test_a_refill_shows_how_many_cards_went_back() -> None:
    table = lay("7s 7h", "3d 4c", upcard="9s")
    table.closed, table.dead = b"", parse_cards("2c 9d Js")
    do(table, play("7s"))
    assert public_view(table).events[-1] == PublicPlay(0, parse_cards("7s"), None, 3)
    assert public_view(table).closed_count == 2


def test_closed_is_offered_while_closed_or_dead_cards_are_left() -> None:
    table = lay("7s 7h", "3d 4c", upcard="9s")
    table.closed = b""
    assert not public_view(table).may_take_closed
    table.dead = parse_cards("2c")
    assert public_view(table).may_take_closed


def test_a_forfeited_hand_is_in_no_view() -> None:
    table = lay_totals((5, 9, 7), points=[1, 2, 3])
    forfeit(table)
    view = public_view(table)
    assert view.events == (PublicForfeit(0),)
    assert view.seats[0] == SeatView(0, 1, True)
    assert observe(table, 0).hand == b""
    declare_with(table, 1, (5, 9))
    assert public_view(table).past[0].hands[0] is None


def test_a_finished_deal_reveals_hands_totals_and_points() -> None:
    table = lay("7s 2h", "3d 4c", "5c As", upcard="9s", lap=1)
    do(table, Declare())
    view = public_view(table)
    assert view.past == (
        PastDeal(
            DealEnd.DECLARED,
            0,
            (parse_cards("2h 7s"), parse_cards("4c 3d"), parse_cards("5c As")),
            (9, 7, 6),
            (23, 0, 0),
        ),
    )
    assert view.events == ()
    assert [seat.points for seat in view.seats] == [23, 0, 0]


def test_a_knocked_out_seat_is_out_with_its_points() -> None:
    table = lay_totals((5, 5, 5))
    declare_with(table, 0, (5, 5, 80))
    assert public_view(table).seats[2] == SeatView(0, 75, True)


def test_copies_of_a_second_deck_look_alike() -> None:
    table = lay(bytes([57, 3]), bytes([5, 60]), upcard="Kd", variant=TWO_DECKS)
    do(table, play("6c"))
    view = observe(table, 1)
    assert view.hand == bytes([5, 8])
    assert view.public.open == bytes([5])
    assert view.public.events == (PublicPlay(0, bytes([5]), None, 0),)


def test_a_second_copy_turned_up_is_seen_by_name() -> None:
    table = new_match(TWO_DECKS, 2, SeededChance(bytes(32), 2))
    assert table.dealt is not None
    table.dealt = table.dealt._replace(upcard=57)
    assert public_view(table).upcard == 5


def test_a_view_of_the_past_does_not_change_with_the_state() -> None:
    table = new_match(Variant(), 3, SeededChance(SEED, 1))
    view = observe(table, 1)
    events, seats = view.public.events, view.public.seats
    for _ in range(4):
        do(table, substitute(table))
    assert (view.public.events, view.public.seats) == (events, seats) == ((), (SeatView(5, 0, False),) * 3)
