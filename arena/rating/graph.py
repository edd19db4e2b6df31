"""Which bots can be compared at all: the pieces of the graph of who met whom, and of who took points from whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Edges = Iterable[tuple[int, int]]


def connected_pieces(size: int, edges: Edges) -> list[list[int]]:
    """Split the nodes 0..size-1 into the pieces that the edges connect, each sorted, by their first node."""
    neighbours: list[list[int]] = [[] for _ in range(size)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return sorted(sorted(piece) for piece in _sweep(range(size), neighbours))


def strong_pieces(size: int, edges: Edges) -> list[list[int]]:
    """Split the nodes 0..size-1 into the largest sets in which every node reaches every other along directed edges.

    The pieces come in an order in which every edge between two pieces leads from an earlier to a later one
    (S. R. Kosaraju; M. Sharir 1981: the second search follows the edges backwards, last finished node first).
    """
    forward: list[list[int]] = [[] for _ in range(size)]
    backward: list[list[int]] = [[] for _ in range(size)]
    for a, b in edges:
        forward[a].append(b)
        backward[b].append(a)
    finished = [node for tree in _sweep(range(size), forward) for node in tree]
    return [sorted(piece) for piece in _sweep(reversed(finished), backward)]


def _sweep(roots: Iterable[int], neighbours: Sequence[Sequence[int]]) -> list[list[int]]:
    """Search depth first from each root not yet seen; one list a search, nodes in the order they finish."""
    seen = [False] * len(neighbours)
    trees = []
    for root in roots:
        if seen[root]:
            continue
        seen[root] = True
        tree: list[int] = []
        path = [(root, iter(neighbours[root]))]
        while path:
            node, rest = path[-1]
            following = next((other for other in rest if not seen[other]), None)
            if following is None:
                tree.append(node)
                path.pop()
            else:
                seen[following] = True
                path.append((following, iter(neighbours[following])))
        trees.append(tree)
    return trees
