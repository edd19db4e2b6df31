"""Rule 3: what may be discarded, judged and enumerated."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game.cards import DECKS, fold, parse_cards, total
from arena.game.discards import DiscardKind, check_discard, legal_discards, lowest_copies
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.variant import Variant
from tests.game.tables import STANDARD, TWO_DECKS

MIXED = Variant(mixed_pairs=True)
SUITS = "shdc"


def suited(ranks: str) -> str:
    """Return cards of these ranks in mixed suits."""
    return " ".join(rank + SUITS[i % 4] for i, rank in enumerate(ranks.split()))


def held(names: str) -> bytes:
    """Return actual cards with these names: a second copy where a name comes twice."""
    cards: list[int] = []
    for name in parse_cards(names):
        cards.append(name + 52 if name in cards else name)
    return bytes(cards)


def reason(hand: str, discard: str, variant: Variant = STANDARD) -> IllegalReason:
    with pytest.raises(IllegalAction) as error:
        check_discard(held(hand), parse_cards(discard), variant)
    return error.value.reason


LEGAL = [
    ("As 2s 3d", DiscardKind.RUN, 6),
    ("Qs Kh Ad", DiscardKind.RUN, 21),
    (suited("A 2 3 4 5"), DiscardKind.RUN, 15),
    (suited("T J Q K A"), DiscardKind.RUN, 41),
    (suited("9 T J Q K"), DiscardKind.RUN, 49),
    (suited("4 5 6"), DiscardKind.RUN, 15),
    ("7s 7h", DiscardKind.PAIR, 14),
    ("7s 7d", DiscardKind.PAIR, 14),
    ("7h 7d", DiscardKind.PAIR, 14),
    ("7s 7h 7d 7c", DiscardKind.TWO_PAIRS, 28),
    ("2s 5s 8s Js Ks", DiscardKind.FLUSH, 35),
    ("8s 9s Ts Js Qs", DiscardKind.RUN, 47),
    ("As 2s 3s 5s 6s", DiscardKind.FLUSH, 17),
    ("Td", DiscardKind.SINGLE, 10),
]

NO_SET = [
    "Ks Ah 2d",
    suited("J Q K A 2"),
    suited("Q K A 2 3"),
    suited("K A 2 3 4"),
    suited("4 5 6 7"),
    "4s 5h",
    "7s 7h 7d",
    "7s 7h 7d Kc Kd",
    "Ks Kh 7c 7d",
    "4s 5h 5d",
    "As Ah 2d",
    "2s 5s 8s Js",
    "2s 5s 8s",
    "2s 4s",
    "7s 7h 7d 7c Kd",
    "2s 4h 6s 8s Ts",
]


@pytest.mark.parametrize(("cards", "kind", "value"), LEGAL)
def test_a_legal_set_may_leave_the_hand(cards: str, kind: DiscardKind, value: int) -> None:
    discard = parse_cards(cards)
    assert check_discard(discard, discard, STANDARD) is kind
    assert check_discard(discard[::-1], discard, STANDARD) is kind, "the order of cards means nothing"
    assert total(discard) == value
    assert [set(found) for found in legal_discards(discard, STANDARD)].count(set(discard)) == 1


@pytest.mark.parametrize("cards", NO_SET)
def test_other_cards_are_no_set_even_as_the_whole_hand(cards: str) -> None:
    assert reason(cards, cards) is IllegalReason.NOT_A_SET
    assert set(parse_cards(cards)) not in [set(found) for found in legal_discards(parse_cards(cards), STANDARD)]


def test_three_of_four_consecutive_cards_are_a_run() -> None:
    hand = parse_cards(suited("4 5 6 7"))
    assert check_discard(hand, hand[:3], STANDARD) is DiscardKind.RUN


@pytest.mark.parametrize(
    ("cards", "count"),
    [("7s 7h 7d 7c Kd", 12), (suited("4 5 6 7 8"), 9), ("2s 5s 8s Js Ks", 6), ("8s 9s Ts Js Qs", 9), ("As", 1)],
)
def test_a_hand_has_so_many_legal_discards(cards: str, count: int) -> None:
    found = legal_discards(parse_cards(cards), STANDARD)
    assert len(found) == len(set(found)) == count


def test_a_flush_is_a_whole_hand_of_five() -> None:
    six = "As 2s 3s 5s 6s 9s"
    assert reason(six, "As 2s 3s 5s 6s") is IllegalReason.NOT_A_SET
    assert all(len(discard) < 5 for discard in legal_discards(parse_cards(six), STANDARD))


def test_nothing_is_no_discard() -> None:
    assert reason("As 2h", "") is IllegalReason.EMPTY_DISCARD


@pytest.mark.parametrize(("hand", "discard"), [("As 2h", "3d"), ("As 2h", "As 3d"), ("Kh 2h", "Kh Kh"), ("Kh", "Kc")])
@pytest.mark.parametrize("variant", [STANDARD, TWO_DECKS])
def test_only_cards_that_are_held_may_leave_and_each_once(hand: str, discard: str, variant: Variant) -> None:
    assert reason(hand, discard, variant) is IllegalReason.CARD_NOT_HELD


@pytest.mark.parametrize(("hand", "variant"), [(bytes([5]), STANDARD), (bytes([5, 57]), TWO_DECKS)])
def test_a_discard_names_cards_and_never_copies(hand: bytes, variant: Variant) -> None:
    with pytest.raises(IllegalAction) as error:
        check_discard(hand, bytes([57]), variant)
    assert error.value.reason is IllegalReason.CARD_NOT_HELD


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("7s 7s", DiscardKind.PAIR),
        ("7s 7s 7h 7h", DiscardKind.TWO_PAIRS),
        ("As As 5s 9s Ks", DiscardKind.FLUSH),
    ],
)
def test_with_two_decks_both_copies_may_leave(cards: str, kind: DiscardKind) -> None:
    assert check_discard(held(cards), parse_cards(cards), TWO_DECKS) is kind
    assert sorted(parse_cards(cards)) in [sorted(found) for found in legal_discards(held(cards), TWO_DECKS)]


@pytest.mark.parametrize("cards", ["7s 7s 7h 7h 7d", "5s 5s 6s", "7s 7s 7h"])
def test_with_two_decks_the_sets_stay_the_same(cards: str) -> None:
    assert reason(cards, cards, TWO_DECKS) is IllegalReason.NOT_A_SET


def test_with_two_decks_each_named_set_is_enumerated_once() -> None:
    found = legal_discards(held("7s 7s 7h 8d 9c"), TWO_DECKS)
    assert sorted(map(sorted, found)) == sorted(
        sorted(parse_cards(cards)) for cards in ("7s", "7h", "8d", "9c", "7s 7s", "7s 7h", "7s 8d 9c", "7h 8d 9c")
    )


def test_the_lowest_copy_is_meant() -> None:
    assert lowest_copies(bytes([57, 5, 8]), bytes([5])) == bytes([5])
    assert lowest_copies(bytes([57, 8]), bytes([5])) == bytes([57])
    assert lowest_copies(bytes([57, 5]), bytes([5, 5])) == bytes([5, 57])


def test_mixed_pairs_are_a_choice_of_the_organiser() -> None:
    hand = parse_cards("Ks Kh 7c 7d 2s")
    assert check_discard(hand, hand[:4], MIXED) is DiscardKind.TWO_PAIRS
    assert hand[:4] not in [bytes(sorted(found)) for found in legal_discards(hand, STANDARD)]


def test_every_discard_names_cards_by_rank_then_suit() -> None:
    assert legal_discards(parse_cards("Kh 7s 7c"), STANDARD) == tuple(map(parse_cards, ("7c", "7s", "Kh", "7c 7s")))


def census(size: int, variant: Variant) -> tuple[int, Counter[str]]:
    """Count the legal discards of all hands of so many cards of one deck, by kind."""
    hands = 0
    kinds: Counter[DiscardKind] = Counter()
    for cards in combinations(DECKS[1], size):
        hand = bytes(cards)
        hands += 1
        kinds.update([check_discard(hand, discard, variant) for discard in legal_discards(hand, variant)])
    return hands, Counter({kind.value: count for kind, count in kinds.items()})


def expected(single: int, pair: int, two_pairs: int, run: int, flush: int) -> Counter[str]:
    return Counter(SINGLE=single, PAIR=pair, TWO_PAIRS=two_pairs, RUN=run, FLUSH=flush)


def test_all_hands_of_three_cards() -> None:
    hands, kinds = census(3, STANDARD)
    assert (hands, kinds.total()) == (22_100, 70_968)
    assert kinds == expected(66_300, 3_900, 0, 768, 0)


def test_all_hands_of_four_cards() -> None:
    hands, kinds = census(4, STANDARD)
    assert (hands, kinds.total()) == (270_725, 1_216_095)
    assert kinds == expected(1_082_900, 95_550, 13, 37_632, 0)


@pytest.mark.slow
def test_all_hands_of_four_cards_with_mixed_pairs() -> None:
    _, kinds = census(4, MIXED)
    assert (kinds.total(), kinds["TWO_PAIRS"]) == (1_218_903, 2_821)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_all_hands_of_five_cards() -> None:
    hands, kinds = census(5, STANDARD)
    assert (hands, kinds.total()) == (2_598_960, 15_442_740)
    assert kinds == expected(12_994_800, 1_528_800, 624, 913_408, 5_108)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_all_hands_of_five_cards_with_mixed_pairs() -> None:
    _, kinds = census(5, MIXED)
    assert (kinds.total(), kinds["TWO_PAIRS"]) == (15_577_524, 135_408)


def is_set(cards: tuple[int, ...], hand_size: int, mixed_pairs: bool) -> bool:
    """Say rule 3 again, as slowly and plainly as it is written."""
    ranks = sorted(card % 13 for card in cards)
    same = len(set(ranks)) == 1
    if len(cards) == 1 or (same and len(cards) in (2, 4)):
        return True
    if mixed_pairs and len(cards) == 4 and ranks[0] == ranks[1] and ranks[2] == ranks[3]:
        return True
    if len(cards) in (3, 5) and len(set(ranks)) == len(ranks):
        high = sorted(13 if rank == 0 else rank for rank in ranks)
        if len(cards) - 1 in (ranks[-1] - ranks[0], high[-1] - high[0]):
            return True
    return len(cards) == hand_size == 5 and len({card // 13 for card in cards}) == 1


@given(data=st.data(), decks=st.sampled_from([1, 2]), mixed_pairs=st.booleans())
def test_enumerating_finds_what_the_rule_says_and_judging_accepts_just_that(
    data: st.DataObject, decks: int, mixed_pairs: bool
) -> None:
    few_ranks = [card for card in DECKS[decks] if card % 13 in (0, 1, 2, 3, 11, 12)]
    pool = data.draw(st.sampled_from([few_ranks, list(DECKS[decks]), list(range(13))]))
    hand = bytes(data.draw(st.lists(st.sampled_from(pool), unique=True, min_size=1, max_size=8)))
    variant = Variant(decks=decks, mixed_pairs=mixed_pairs)
    names = fold(hand)
    wanted, accepted = set(), set()
    for size in range(1, len(hand) + 1):
        for cards in combinations(sorted(names), size):
            if is_set(cards, len(hand), mixed_pairs):
                wanted.add(cards)
            try:
                check_discard(hand, bytes(cards), variant)
            except IllegalAction as error:
                assert error.reason is IllegalReason.NOT_A_SET
            else:
                accepted.add(cards)
    found = [tuple(sorted(discard)) for discard in legal_discards(hand, variant)]
    assert accepted == wanted
    assert set(found) == wanted
    assert len(found) == len(wanted)
