from collections import Counter

import pytest

from arena.analysis.counting import count_cards
from arena.game.cards import fold, parse_card, parse_cards
from arena.game.variant import Variant
from arena.game.view import observe
from tests.game.tables import Scripted, do, forfeit, lay, play
from tests.wire.walking import walk


def test_a_card_taken_openly_is_held_until_it_is_thrown() -> None:
    table = lay("Kc 9d", "Qh 8s", "3c 4c", upcard="2h")
    do(table, play("Kc", "2h"))
    assert count_cards(observe(table, 1)).held == {0: parse_cards("2h")}
    do(table, play("Qh"))
    do(table, play("4c"))
    do(table, play("2h"))
    assert count_cards(observe(table, 1)).held == {0: b""}


def test_what_the_next_seat_leaves_is_dead_and_the_last_discard_is_open() -> None:
    table = lay("7c 7d", "Qh 8s", upcard="2h")
    do(table, play("7c 7d"))
    do(table, play("8s", "7d"))
    counts = count_cards(observe(table, 0))
    assert (counts.dead, counts.open) == (parse_cards("2h 7c"), parse_cards("8s"))


def test_the_dead_cards_are_unseen_again_when_the_deck_is_refilled() -> None:
    table = lay("Kc 9d", "Qh 8s", upcard="2h", chance=Scripted())
    do(table, play("Kc"))
    table.closed, table.dead = b"", parse_cards("2h 5c")
    do(table, play("8s"))
    counts = count_cards(observe(table, 0))
    assert counts.dead == parse_cards("Kc")
    assert set(parse_cards("2h 5c")) <= set(counts.unseen)


def test_a_forfeited_seat_holds_nothing_and_what_it_had_taken_is_dead() -> None:
    table = lay("Kc 9d", "Qh 8s", "3c 4c", upcard="2h")
    do(table, play("Kc", "2h"))
    do(table, play("Qh"))
    do(table, play("4c"))
    forfeit(table)
    counts = count_cards(observe(table, 1))
    assert counts.held == {}
    assert parse_card("2h") in counts.dead


@pytest.mark.parametrize(("seats", "variant"), [(3, Variant()), (9, Variant(decks=2, threshold=0, deal_cap=2))])
def test_every_card_is_counted_once(seats: int, variant: Variant) -> None:
    for state in walk(seats, seats, variant):
        view = observe(state, state.seat)
        counts = count_cards(view)
        all_cards = view.hand + counts.dead + counts.open + counts.unseen + b"".join(counts.held.values())
        assert Counter(all_cards) == Counter(bytes(range(52)) * variant.decks)
        assert counts.open == view.public.open
        assert not Counter(fold(state.closed)) - Counter(counts.unseen)
        for seat, held in counts.held.items():
            assert not Counter(held) - Counter(fold(state.hands[seat] or b""))
