"""Which bots can be compared at all: the pieces of the graph of who met whom, and of who took points from whom."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from arena.rating.likelihood import Indices


def connected_pieces(size: int, edges: ArrayLike) -> list[list[int]]:
    """Split the nodes 0..size-1 into the pieces that edges (rows a, b) connect, each sorted, by their first node."""
    a, b = _columns(edges)
    both_ways = _neighbours(size, np.concatenate([a, b]), np.concatenate([b, a]))
    return sorted(sorted(piece) for piece in _sweep(range(size), both_ways))


def strong_pieces(size: int, edges: ArrayLike) -> list[list[int]]:
    """Split the nodes 0..size-1 into the largest sets in which every node reaches every other along directed edges.

    An edge is a row (from, to). The pieces come in an order in which every edge between two pieces leads from an
    earlier to a later one (S. R. Kosaraju; M. Sharir 1981: the second search follows the edges backwards, last finished
    node first).
    """
    a, b = _columns(edges)
    finished = [node for tree in _sweep(range(size), _neighbours(size, a, b)) for node in tree]
    return [sorted(piece) for piece in _sweep(reversed(finished), _neighbours(size, b, a))]


def _columns(edges: ArrayLike) -> tuple[Indices, Indices]:
    a, b = np.asarray(edges, dtype=np.intp).reshape(-1, 2).T
    return a, b


def _neighbours(size: int, a: Indices, b: Indices) -> list[Indices]:
    """Give for each node where its edges lead."""
    return np.split(b[np.argsort(a, kind="stable")], np.cumsum(np.bincount(a, minlength=size))[:-1]) if size else []


def _sweep(roots: Iterable[int], neighbours: list[Indices]) -> list[list[int]]:
    """Search depth first from each root not yet seen; one list a search, nodes in the order they finish."""
    seen = np.zeros(len(neighbours), dtype=np.bool_)
    trees = []
    for root in roots:
        if seen[root]:
            continue
        seen[root] = True
        tree: list[int] = []
        path = [(root, neighbours[root])]
        while path:
            node, rest = path.pop()
            fresh = ~seen[rest]
            if not fresh.any():
                tree.append(node)
                continue
            at = int(fresh.argmax())
            following = int(rest[at])
            seen[following] = True
            path += [(node, rest[at + 1 :]), (following, neighbours[following])]
        trees.append(tree)
    return trees
