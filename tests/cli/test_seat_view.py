"""What a person at the table is shown while a match goes on."""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.text import Text

from arena.cli.moves import offer
from arena.cli.seat_view import SeatView, seat_scene
from arena.game.actions import Declare
from arena.game.cards import card_name, parse_cards
from arena.game.rules import substitute
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe, public_view
from arena.match.limits import Limits
from tests.game.tables import Scripted, do, forfeit, lay, play


def view(*names: str) -> SeatView:
    return SeatView(seat_scene(names or ("you", "planner"), 0, Limits()), 0)


def lines(shown: Iterable[Text]) -> list[str]:
    return [line for text in shown for line in text.plain.split("\n")]


def turn(seat: SeatView, state: State) -> list[str]:
    """What is shown at the person's turn."""
    seen = observe(state, 0)
    return [*lines(seat.news(seen.public)), *lines(seat.turn(seen, offer(seen)))]


def first_turns() -> State:
    chance = Scripted({(0, "0", 0): parse_cards("2h"), (0, "1", 0): parse_cards("Ah")})
    return lay("As 3d 7s 7d Kc", "2c 4h 5d 6s Kh", upcard="9h", chance=chance)


def test_a_turn_shows_the_table_and_what_may_be_done() -> None:
    assert turn(view(), first_turns()) == [
        "",
        "Deal 0  0 you to start, 9h is turned up",
        "",
        "Your turn. Open: 9h. Closed deck: 41 cards.",
        "     0 you        0 points   28  As 3d 7d 7s Kc",
        "     1 planner    0 points       ·· ·· ·· ·· ··",
        "throw  1 7d 7s = 14            2 Kc = 10               3 7d = 7",
        "       4 7s = 7                5 3d = 3                6 As = 1",
        "take   1 closed   2 9h",
    ]


def test_later_it_tells_what_was_played_and_drawn_and_which_cards_others_took_openly() -> None:
    state, seat = first_turns(), view()
    turn(seat, state)
    do(state, play("Kc"))
    assert lines(seat.news(public_view(state))) == ["     0 you      throws Kc              takes closed"]
    do(state, play("Kh", "Kc"))
    assert turn(seat, state) == [
        "     1 planner  throws Kh              takes Kc",
        "",
        "Your turn. Open: Kh. Closed deck: 40 cards. You drew 2h.",
        "     0 you        0 points   20  As 2h 3d 7d 7s",
        "     1 planner    0 points       Kc ·· ·· ·· ··",
        "throw  1 7d 7s = 14            2 7d = 7                3 7s = 7",
        "       4 As 2h 3d = 6          5 3d = 3                6 2h = 2",
        "       7 As = 1",
        "take   1 closed   2 Kh",
        "or     declare with 20",
    ]


def test_a_card_that_was_taken_openly_is_not_called_drawn() -> None:
    state, seat = first_turns(), view()
    turn(seat, state)
    do(state, play("Kc", "9h"))
    do(state, play("Kh"))
    assert "drew" not in "\n".join(turn(seat, state))


def test_the_end_of_a_deal_shows_all_hands_before_the_next_one_begins() -> None:
    state, seat = first_turns(), view()
    turn(seat, state)
    for action in (play("Kc"), play("Kh")):
        do(state, action)
        seen = lines(seat.news(public_view(state)))
    do(state, Declare())
    assert seen == ["     1 planner  throws Kh              takes closed"]
    assert lines(seat.news(public_view(state)))[:4] == [
        "     0 you declared 20, but 1 planner has 18: it is false",
        "     0 you       20  As 2h 3d 7d 7s   +22 = 22 points",
        "     1 planner   18  Ah 2c 4h 5d 6s    +0 = 0 points",
        "",
    ]


def test_the_plays_of_a_deal_without_the_person_are_not_told() -> None:
    state, seat = lay("Kc Kd", "2c 4h", "5c 6c", upcard="9h", lap=1, points=(49, 0, 0)), view("you", "b", "c")
    turn(seat, state)
    do(state, play("Kc", "9h"))
    lines(seat.news(public_view(state)))
    do(state, Declare())
    assert [line.strip() for line in lines(seat.news(public_view(state)))] == [
        "1 b declared 6: it holds",
        "0 you   19  9h Kd            +13 = 62 points  out",
        "1 b      6  2c 4h             +0 = 0 points",
        "2 c     11  5c 6c             +5 = 5 points",
        "",
        f"Deal 1  1 b to start, {card_name(state.open[0])} is turned up",
        "You are out, and the others play on.",
    ]
    for _ in range(2):
        do(state, substitute(state))
        assert lines(seat.news(public_view(state))) == []
    do(state, Declare())
    (verdict, *hands) = lines(seat.final(public_view(state)))
    assert "declared" in verdict
    assert [hand.split()[1] for hand in hands] == ["b", "c"]


def test_a_forfeit_and_a_refill_are_told() -> None:
    state, seat = lay("7s 7h 2c", "3d 4c 5c", "6c 6d 6h", upcard="9s"), view("you", "b", "c")
    turn(seat, state)
    state.closed, state.dead = b"", parse_cards("2d 9d Js")
    do(state, play("2c"))
    forfeit(state)
    told = lines(seat.news(public_view(state)))
    assert told[:3] == [
        "     the closed deck was empty: refilled with 3 dead cards",
        "     0 you  throws 2c              takes closed",
        "     1 b    leaves the match, its hand face down",
    ]


def test_every_line_fits_into_80_columns_whatever_the_names() -> None:
    names = ("you", "日本語のボットの名前がとても長いので切られます", "a name of forty characters, really forty")
    state = lay("2s 5s 8s Js Ks", "7s 7h 7d 7c Kd", "3c 4c 5c 6c 8c", upcard="9h", variant=Variant(), lap=1)
    assert max(map(cell_len, turn(view(*names), state))) <= 80
