from struct import pack

import pytest

from arena.game import chance
from arena.game.cards import card_names
from arena.game.chance import NoChance, SeededChance, choice_seed, seat_order, shuffled
from tests.game.tables import SEED


@pytest.mark.parametrize(
    ("deal", "stream", "refill", "first"),
    [
        (0, "0", 0, "7h 6s 8h 2d 3c 2s 6h 4s Qc As 7d Qs"),
        (0, "1", 0, "5d 6c Ad 4d Kh 7s Jc Ac 6h Kc Qc Td"),
        (0, "table", 0, "9h 2c Kc Jd 6c Kd Qc Js Qh Kh Ac 5c"),
        (3, "2", 1, "Qd Ts 8c Ks 7s 6d Qh 2d 9s 3c Ad Js"),
    ],
)
def test_orders_of_one_deck_come_from_the_seed(deal: int, stream: str, refill: int, first: str) -> None:
    order = SeededChance(SEED, 1).order(deal, stream, refill)
    assert card_names(bytes(order.cards(12)[:12])) == first


def test_orders_of_two_decks_come_from_the_seed() -> None:
    order = SeededChance(SEED, 2).order(0, "0", 0)
    assert card_names(bytes(order.cards(6)[:6])) == "7h 9c As 3h Tc Jd"


@pytest.mark.parametrize("decks", [1, 2])
def test_an_order_has_every_card_once_and_no_more(decks: int) -> None:
    order = SeededChance(SEED, decks).order(5, "1", 2)
    assert sorted(order.cards(52 * decks)) == list(range(52 * decks))
    with pytest.raises(IndexError):
        order.cards(52 * decks + 1)


def test_an_order_is_the_same_in_whatever_steps_it_is_asked() -> None:
    little, all_at_once = (SeededChance(SEED, 1).order(0, "0", 0) for _ in range(2))
    assert [little.cards(count)[count - 1] for count in range(1, 53)] == list(all_at_once.cards(52))


def test_orders_do_not_depend_on_what_was_asked_before() -> None:
    chance = SeededChance(SEED, 1)
    first = chance.order(0, "0", 0).cards(12)
    chance.order(1, "0", 0).cards(4)
    assert chance.order(0, "0", 0).cards(12) == first


def test_words_that_would_favour_small_remainders_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Words:
        def __init__(self, stream: bytes) -> None:
            # below 3 the last whole multiple is 2**32 - 1, which is skipped; below 2 there is nothing to skip
            self.words = [2**32 - 1, 1, 2**32 - 1, *[0] * 100]

        def digest(self, length: int) -> bytes:
            return pack(f">{length // 4}I", *self.words[: length // 4])

    monkeypatch.setattr(chance, "shake_256", Words)
    assert shuffled(b"", 3) == (1, 2, 0)


@pytest.mark.parametrize(
    ("seats", "order"), [(5, (0, 3, 4, 2, 1)), (6, (2, 1, 4, 0, 3, 5)), (8, (2, 3, 4, 5, 6, 0, 1, 7))]
)
def test_the_seats_of_a_large_table_are_shuffled_by_the_seed_of_the_block(seats: int, order: tuple[int, ...]) -> None:
    assert seat_order(SEED, seats) == order


def test_a_player_gets_a_seed_for_its_own_choices() -> None:
    assert choice_seed(SEED, 0, 0, 0).hex() == "2356342aee839fb0"
    assert choice_seed(SEED, 3, 2, 41).hex() == "a6cafc6b51265406"


def test_a_replay_has_no_chance() -> None:
    with pytest.raises(LookupError, match="no chance of its own"):
        NoChance().order(0, "0", 0)
