"""The rules page tells in each language what the rules of the program do."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from arena.game.cards import parse_cards
from arena.game.discards import legal_discards
from arena.game.variant import Variant
from arena.web.i18n import CODES
from arena.web.pages.rules import NO_SETS, SETS, TOTALS, declared


@pytest.fixture(params=CODES)
def page(request: pytest.FixtureRequest, client: TestClient) -> str:
    return client.get("/rules", headers={"accept-language": request.param}).text


def is_legal(cards: str) -> bool:
    wanted = sorted(parse_cards(cards))
    return any(sorted(discard) == wanted for discard in legal_discards(parse_cards(cards), Variant()))


@pytest.mark.parametrize("cards", [cards for examples in SETS.values() for cards in examples])
def test_what_is_shown_as_a_set_is_one(cards: str) -> None:
    assert is_legal(cards)


@pytest.mark.parametrize("cards", NO_SETS.values())
def test_what_is_shown_as_no_set_is_none(cards: str) -> None:
    assert not is_legal(cards)


def test_all_eight_rules_are_told_in_each_language(page: str) -> None:
    assert re.findall(r'id="rule-(\d)"', page) == list("12345678")
    assert page.count('class="example"') == sum(map(len, SETS.values()))
    assert page.count('<li><span class="small-cards">') == len(NO_SETS)


def test_declarations_bring_what_the_rules_say() -> None:
    assert [declared(totals).points for totals in TOTALS] == [(0, 6, 7), (0, 0, 5), (22, 0, 0), (69, 0)]
    assert [declared(totals).holds for totals in TOTALS] == [True, True, False, False]


def test_the_outcomes_stand_on_the_page(page: str) -> None:
    for totals in TOTALS:
        assert f"<td>{' · '.join(map(str, totals))}</td>" in page
        assert f"<td>{' · '.join(map(str, declared(totals).points))}</td>" in page


def test_each_language_uses_the_words_that_its_players_know(client: TestClient) -> None:
    words = {
        "el": ("φύλλα", "τράπουλα", "πάτωμα", "απορρίπτεις", "δηλώνεις"),
        "id": ("kartu", "geladak", "lantai", "membuang", "menyatakan"),
    }
    for code, known in words.items():
        text = client.get("/rules", headers={"accept-language": code}).text
        assert f'<html lang="{code}">' in text
        assert [word for word in known if word not in text] == []
