from dataclasses import replace

import pytest

from arena.analysis.playouts import draw_luck, play_out
from arena.analysis.policies import Greedy
from arena.game.cards import parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.events import Played
from arena.game.rules import decide, new_match
from arena.game.variant import Variant
from tests.game.tables import SEED, STANDARD, Scripted, lay, play


def test_a_playout_ends_the_match_and_is_the_same_again() -> None:
    first, second = (
        play_out(new_match(STANDARD, 3, SeededChance(SEED, 1)), [Greedy(5), Greedy(8), Greedy(5)]) for _ in range(2)
    )
    assert first == second
    assert sorted(first.outcome.places)[0] == 1
    assert first.deals > 1


def test_luck_is_the_card_against_the_mean_of_the_closed_deck() -> None:
    table = lay("Kc 9d", "Qh 8s", upcard="2h", chance=Scripted({(0, "0", 0): parse_cards("9c")}))
    luck = draw_luck(table, decide(table, play("Kc")))
    assert luck is not None
    deck = 340 - 10 - 9 - 10 - 8 - 2
    assert luck.value == pytest.approx(9 - deck / 47)
    assert luck.matches == pytest.approx(1 - 3 / 47)


def test_an_open_card_is_no_luck() -> None:
    table = lay("Kc 9d", "Qh 8s", upcard="2h")
    assert draw_luck(table, decide(table, play("Kc", "2h"))) is None


@pytest.mark.parametrize("refilled", [False, True])
def test_luck_is_nothing_on_the_mean_over_all_cards_that_could_come(refilled: bool) -> None:
    table = lay("Kc 9d 9h", "Qh 8s", upcard="2h", variant=replace(Variant(), decks=2))
    deck = parse_cards("9c 2c 7d 7s Ah Kd") if refilled else table.closed
    lucks = [draw_luck(table, (Played(0, parse_cards("Kc"), None, card, deck if refilled else b""),)) for card in deck]
    assert parse_card("9c") in deck
    assert sum(luck.value for luck in lucks if luck) == pytest.approx(0.0, abs=1e-9)
    assert sum(luck.matches for luck in lucks if luck) == pytest.approx(0.0, abs=1e-9)
