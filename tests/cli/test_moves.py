"""What a person may do on a turn, and what is made of what it types."""

import pytest

from arena.cli.moves import CLOSED, MOST_OFFERED, Offer, Unclear, offer, read_move
from arena.game.actions import Action, Declare, Play
from arena.game.cards import parse_card, parse_cards
from arena.game.rules import legal_actions
from arena.game.variant import Variant
from arena.game.view import observe
from tests.game.tables import lay, play

TABLE = lay("7s 7h 4d Ts", "2c 3c", upcard="9h", lap=1)
SEEN = observe(TABLE, 0)


def offered() -> Offer:
    return offer(SEEN)


def test_all_that_the_rules_allow_is_offered_the_heaviest_first() -> None:
    found = offered()
    plays: list[Action] = [Play(discard, take) for discard in found.discards for take in found.takes]
    assert {(a.take, frozenset(a.discard)) for a in plays if isinstance(a, Play)} == {
        (a.take, frozenset(a.discard)) for a in legal_actions(TABLE) if isinstance(a, Play)
    }
    assert found.discards[0] == parse_cards("7h 7s")
    assert found.takes == (None, parse_card("9h"))
    assert found.may_declare


def test_nothing_is_offered_that_is_not_allowed() -> None:
    table = lay("7s 7h", "2c 3c", upcard="9h")
    table.closed = b""
    assert offer(observe(table, 0)) == (offer(observe(table, 0)).discards, (parse_card("9h"),), False)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1 1", play("7h 7s")),
        (" 1   2 ", play("7h 7s", "9h")),
        ("2 closed", play("Ts")),
        ("7s 7h closed", play("7s 7h")),
        ("7s, 7h CLOSED", play("7s 7h")),
        ("ts 9H", play("Ts", "9h")),
        ("10s 2", play("Ts", "9h")),
        ("4d 4d closed", play("4d 4d")),
        ("Kc Kd", play("Kc", "Kd")),
        ("declare", Declare()),
        ("DECLARE", Declare()),
    ],
)
def test_a_move_is_read_by_number_or_by_cards(text: str, meant: Action) -> None:
    assert read_move(text, offered()) == meant


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1", "what you throw, then what you take"),
        ("7s", f"'7s 7h {CLOSED}'"),
        ("0 1", "there is no 0 to throw: choose one of 1 to 5"),
        ("6 1", "there is no 6 to throw: choose one of 1 to 5"),
        ("1 3", "there is no 3 to take: choose one of 1 to 2"),
        ("1 99999999999999999999", "to take: choose one of 1 to 2"),
        ("7x closed", "'7x' is no card"),
        ("7s deck", "'deck' is no card"),
        ("declare now", "'declare' is no card"),
        ("\x1b[2J closed", "'\N{REPLACEMENT CHARACTER}[2J' is no card"),
        ("1 2 closed", "'1' is no card"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_to_type(text: str, says: str) -> None:
    with pytest.raises(Unclear) as error:
        read_move(text, offered())
    assert says in str(error.value)


def test_of_a_huge_hand_the_heaviest_are_numbered_and_all_can_be_typed() -> None:
    table = lay(bytes(range(26)), bytes(range(26, 50)), upcard="Ks", variant=Variant(hand_size=26))
    found = offer(observe(table, 0))
    assert len(found.discards) > len(found.numbered) == MOST_OFFERED
    with pytest.raises(Unclear):
        read_move(f"{MOST_OFFERED + 1} 1", found)
    assert read_move("Ac closed", found) == play("Ac")
