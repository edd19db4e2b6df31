from functools import cache
from itertools import chain, combinations
from random import Random

from arena.tournament.formats.matching import pair_up

Edges = frozenset[frozenset[int]]


def pairs(size: int, edges: Edges) -> list[tuple[int, int]] | None:
    return pair_up(size, lambda one, other: frozenset((one, other)) in edges)


def all_can_be_paired(size: int, edges: Edges) -> bool:
    """By trying every way."""

    @cache
    def rest(free: frozenset[int]) -> bool:
        if not free:
            return True
        first = min(free)
        return any(frozenset((first, other)) in edges and rest(free - {first, other}) for other in free - {first})

    return rest(frozenset(range(size)))


def test_neighbours_are_paired_where_nothing_stands_against_it() -> None:
    assert pair_up(6, lambda one, other: True) == [(0, 1), (2, 3), (4, 5)]


def test_who_may_not_meet_a_neighbour_gets_the_next() -> None:
    assert pair_up(4, lambda one, other: {one, other} != {0, 1}) == [(0, 2), (1, 3)]


def test_everybody_gets_a_partner_whenever_that_can_be() -> None:
    luck, possible = Random(4), 0
    for _ in range(600):
        size, chance = luck.choice([2, 4, 6, 8, 10]), luck.choice([0.2, 0.3, 0.45])
        edges = frozenset(frozenset(edge) for edge in combinations(range(size), 2) if luck.random() < chance)
        found = pairs(size, edges)
        assert (found is not None) == all_can_be_paired(size, edges)
        if found is not None:
            possible += 1
            assert sorted(chain.from_iterable(found)) == [*range(size)]
            assert edges.issuperset(frozenset(pair) for pair in found)
    assert 150 < possible < 450


def test_an_odd_one_cannot_be_paired() -> None:
    assert pair_up(3, lambda one, other: True) is None
