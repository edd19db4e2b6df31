import pytest

from arena.game.cards import DECKS, card_name, card_names, fold, parse_card, parse_cards, total


def test_the_canonical_order_is_clubs_diamonds_hearts_spades_each_from_ace_to_king() -> None:
    assert card_names(DECKS[1][:13]) == "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    assert card_names(DECKS[1][::13]) == "Ac Ad Ah As"


def test_a_deck_has_every_card_of_every_suit_once() -> None:
    assert {card_name(card) for card in DECKS[1]} == {rank + suit for rank in "A23456789TJQK" for suit in "cdhs"}
    assert len(DECKS[1]) == 52


def test_a_second_deck_repeats_the_first() -> None:
    assert len(set(DECKS[2])) == 104
    assert fold(DECKS[2]) == DECKS[1] * 2


def test_an_ace_counts_one_and_court_cards_ten() -> None:
    assert [total(parse_cards(rank + "s")) for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert total(b"") == 0
    assert total(DECKS[2]) == 2 * total(DECKS[1]) == 2 * 340


def test_cards_are_read_as_they_are_written() -> None:
    assert [parse_card(card_name(card)) for card in DECKS[1]] == list(DECKS[1])
    assert parse_cards(" As  Td ") == bytes([parse_card("As"), parse_card("Td")])


@pytest.mark.parametrize("text", ["", "A", "1s", "as", "AS", "10s", "sA", "Ås"])
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text!r} is no card"):
        parse_card(text)
