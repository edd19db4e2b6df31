"""Who can be compared with whom."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from arena.rating.graph import connected_pieces, strong_pieces

SIZE = 7
edge_lists = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=16)


def reachable(edges: list[tuple[int, int]]) -> list[list[bool]]:
    """Warshall's closure: slow, plain, and independent of any search."""
    closure = [[a == b for b in range(SIZE)] for a in range(SIZE)]
    for a, b in edges:
        closure[a][b] = True
    for through, a, b in product(range(SIZE), repeat=3):
        closure[a][b] |= closure[a][through] and closure[through][b]
    return closure


@given(edge_lists)
def test_connected_pieces_are_what_edges_reach_in_either_direction(edges: list[tuple[int, int]]) -> None:
    closure = reachable(edges + [(b, a) for a, b in edges])
    pieces = connected_pieces(SIZE, edges)
    assert sorted(node for piece in pieces for node in piece) == list(range(SIZE))
    assert all(piece == [node for node in range(SIZE) if closure[piece[0]][node]] for piece in pieces)
    assert pieces == sorted(pieces)


@given(edge_lists)
def test_strong_pieces_are_what_reaches_each_other_in_the_order_of_the_edges(edges: list[tuple[int, int]]) -> None:
    closure = reachable(edges)
    pieces = strong_pieces(SIZE, edges)
    assert sorted(node for piece in pieces for node in piece) == list(range(SIZE))
    for piece in pieces:
        first = piece[0]
        assert piece == [node for node in range(SIZE) if closure[first][node] and closure[node][first]]
    rank = {node: number for number, piece in enumerate(pieces) for node in piece}
    assert all(rank[a] <= rank[b] for a, b in edges)


def test_a_long_chain_does_not_exhaust_the_stack() -> None:
    chain = [(node, node + 1) for node in range(20_000)]
    assert len(connected_pieces(20_001, chain)) == 1
    assert len(strong_pieces(20_001, chain)) == 20_001
