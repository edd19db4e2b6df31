from collections import Counter
from itertools import combinations
from random import Random

import pytest

from arena.analysis.hands import NO_RANK, hand_tables, number_of
from arena.game.cards import RANK, fold, parse_cards, total
from arena.game.discards import legal_discards
from arena.game.variant import Variant

TABLES = hand_tables(False)


def ranks_of(number: int) -> bytes:
    return bytes(rank for rank in TABLES.ranks[number].tolist() if rank != NO_RANK)


def test_every_set_of_up_to_five_ranks_has_a_number_of_its_own() -> None:
    numbers = {number_of(bytes(hand)) for size in range(6) for hand in combinations(range(0, 52, 4), size)}
    assert len(TABLES.size) == 8568
    assert len(numbers) == sum(1 for size in range(6) for _ in combinations(range(13), size))


def test_a_hand_has_its_size_total_and_counts() -> None:
    hand = parse_cards("Ks 7d 7h Ac")
    number = number_of(hand)
    assert (TABLES.size[number], TABLES.total[number]) == (4, total(hand))
    assert ranks_of(number) == bytes(sorted(hand.translate(RANK)))
    assert TABLES.counts[number, 6] == 2


def test_one_card_more_is_the_larger_set() -> None:
    assert TABLES.plus[number_of(parse_cards("7d Kc")), 0] == number_of(parse_cards("Kh Ad 7c"))


@pytest.mark.parametrize("mixed_pairs", [False, True])
def test_choices_are_the_legal_discards_but_for_flushes(mixed_pairs: bool) -> None:
    tables = hand_tables(mixed_pairs)
    chance = Random(5)
    for _ in range(300):
        hand = bytes(fold(bytes(chance.sample(range(52), chance.randint(1, 5)))))
        number = number_of(hand)
        found = set(zip(tables.kept[number].tolist(), tables.thrown[number].tolist(), strict=True))
        legal = set()
        for discard in legal_discards(hand, Variant(mixed_pairs=mixed_pairs)):
            kept = (Counter(hand) - Counter(discard)).elements()
            legal.add((number_of(bytes(kept)), number_of(discard)))
        flush = {(0, number)} if len(hand) == 5 and len({card // 13 for card in hand}) == 1 else set()
        assert found | flush == legal | flush
