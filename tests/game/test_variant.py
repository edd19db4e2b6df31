import pytest

from arena.game.errors import GameError, VariantError
from arena.game.rules import new_match
from arena.game.variant import Crossing, Finish, Variant, check_variant
from tests.game.tables import Scripted

STANDARD = {
    "hand_size": 5,
    "decks": 1,
    "upcard": True,
    "mixed_pairs": False,
    "tie_holds": True,
    "penalty": 20,
    "threshold": 50,
    "crossing": "BEYOND",
    "finish": "LAST_STANDING",
    "lap_cap": 60,
    "deal_cap": 0,
}


def test_the_defaults_are_the_standard_game() -> None:
    assert Variant().as_dict() == STANDARD
    assert Variant.from_dict(STANDARD) == Variant()


def test_a_variant_survives_the_way_to_a_mapping_and_back() -> None:
    variant = Variant(decks=2, upcard=False, crossing=Crossing.REACH, finish=Finish.FIRST_OUT, deal_cap=7)
    assert Variant.from_dict(variant.as_dict()) == variant


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"joker": 1}, "unknown variant field 'joker'"),
        ({"hand_size": "5"}, "hand_size must be int, not str"),
        ({"hand_size": True}, "hand_size must be int, not bool"),
        ({"upcard": 1}, "upcard must be bool, not int"),
        ({"penalty": 20.0}, "penalty must be int, not float"),
        ({"crossing": "TOUCH"}, "crossing must be one of BEYOND, REACH, not 'TOUCH'"),
        ({"finish": "NEVER"}, "finish must be one of LAST_STANDING, FIRST_OUT, not 'NEVER'"),
        ({"finish": 1}, "finish must be str, not int"),
    ],
)
def test_a_mapping_that_is_no_variant_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(VariantError, match=message):
        Variant.from_dict(STANDARD | change)


@pytest.mark.parametrize("name", STANDARD)
def test_no_field_may_be_missing(name: str) -> None:
    with pytest.raises(VariantError, match=f"'{name}' is missing"):
        Variant.from_dict({key: value for key, value in STANDARD.items() if key != name})


REFUSED = [
    (Variant(hand_size=11), 5, "too few cards: 5 hands of hand_size 11 and the upcard leave -4"),
    (Variant(lap_cap=1), 2, "lap_cap must be at least 2"),
    (Variant(lap_cap=-1), 2, "lap_cap must be at least 2"),
    (Variant(threshold=0), 2, "threshold 0 knocks nobody out"),
    (Variant(), 1, "seats must be 2 to 8 with decks 1, not 1"),
    (Variant(), 9, "seats must be 2 to 8 with decks 1, not 9"),
    (Variant(decks=2), 11, "seats must be 2 to 10 with decks 2, not 11"),
    (Variant(hand_size=0), 2, "hand_size must be at least 1"),
    (Variant(hand_size=-5), 2, "hand_size must be at least 1"),
    (Variant(decks=0), 2, "decks must be 1 or 2, it is 0"),
    (Variant(decks=3), 2, "decks must be 1 or 2, it is 3"),
    (Variant(decks=-1), 2, "decks must be 1 or 2, it is -1"),
    (Variant(penalty=-1), 2, "penalty must not be negative"),
    (Variant(threshold=-1), 2, "threshold must not be negative"),
    (Variant(deal_cap=-1), 2, "deal_cap must not be negative"),
    (Variant(crossing="BEYOND"), 2, "crossing must be a Crossing"),  # type: ignore[arg-type]
    (Variant(finish="SOME"), 2, "finish must be a Finish"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("variant", "seats", "message"), REFUSED)
def test_what_cannot_be_played_is_refused_with_its_reason(variant: Variant, seats: int, message: str) -> None:
    with pytest.raises(VariantError, match=message):
        check_variant(variant, seats)
    with pytest.raises(GameError, match=message):
        new_match(variant, seats, Scripted())


@pytest.mark.parametrize(("hand_size", "decks", "seats"), [(25, 1, 2), (10, 1, 5), (6, 1, 8), (10, 2, 10), (51, 2, 2)])
def test_one_closed_card_must_be_left_and_one_is_enough(hand_size: int, decks: int, seats: int) -> None:
    largest = (52 * decks - 2) // seats
    assert hand_size == largest
    check_variant(Variant(hand_size=hand_size, decks=decks), seats)
    with pytest.raises(VariantError, match="too few cards"):
        check_variant(Variant(hand_size=hand_size + 1, decks=decks), seats)


def test_threshold_0_needs_a_deal_cap() -> None:
    check_variant(Variant(threshold=0, deal_cap=1), 2)


def test_eight_seats_need_one_deck_and_ten_two() -> None:
    check_variant(Variant(), 8)
    check_variant(Variant(decks=2), 10)


def test_what_is_not_as_in_the_standard_game_is_told_by_name() -> None:
    assert Variant().changes() == {}
    assert Variant(threshold=25, crossing=Crossing.REACH).changes() == {"threshold": 25, "crossing": "REACH"}
