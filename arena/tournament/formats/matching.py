"""Pairs of bots that stand close: everybody gets a partner whenever that can be."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

MayMeet = Callable[[int, int], bool]
"""Whether two places in the order may meet; symmetric, and never asked for one place twice."""


def pair_up(size: int, may_meet: MayMeet) -> list[tuple[int, int]] | None:
    """Pair all of the places 0 … size - 1, each in turn with the next that it may meet; None when nobody can.

    Who is left over gets a partner along an augmenting path, so a perfect matching is found if there is one
    (J. Edmonds 1965).
    """
    partner: list[int | None] = [None] * size
    for place in range(size):
        if partner[place] is None:
            free = (other for other in range(place + 1, size) if partner[other] is None and may_meet(place, other))
            if (other := next(free, None)) is not None:
                partner[place], partner[other] = other, place
    for place in range(size):
        if partner[place] is None and not _Search(place, partner, may_meet).augment():
            return None
    return [(place, other) for place, other in enumerate(partner) if other is not None and place < other]


class _Search:
    """A search for an augmenting path from one free place: an alternating tree in which odd cycles are contracted.

    `before[v]` is the place from which v was reached by an unmatched edge; `base[v]` stands for the cycle v is in.
    """

    def __init__(self, root: int, partner: list[int | None], may_meet: MayMeet) -> None:
        size = len(partner)
        self.root, self.partner, self.may_meet = root, partner, may_meet
        self.before: list[int | None] = [None] * size
        self.base = list(range(size))
        self.outer = [place == root for place in range(size)]
        self.queue = deque([root])

    def augment(self) -> bool:
        """Pair the root by turning an augmenting path around; False when there is none."""
        while self.queue:
            place = self.queue.popleft()
            for other in range(len(self.partner)):
                if self.base[place] == self.base[other] or self.partner[place] == other:
                    continue
                if not self.may_meet(place, other):
                    continue
                if self.outer[other]:
                    self._contract(place, other)
                elif self.before[other] is None:
                    self.before[other] = place
                    follower = self.partner[other]
                    if follower is None:
                        self._turn_around(other)
                        return True
                    self._reach(follower)
        return False

    def _reach(self, place: int) -> None:
        if not self.outer[place]:
            self.outer[place] = True
            self.queue.append(place)

    def _turn_around(self, place: int | None) -> None:
        while place is not None:
            before = self.before[place]
            assert before is not None
            following = self.partner[before]
            self.partner[place], self.partner[before] = before, place
            place = following

    def _contract(self, one: int, other: int) -> None:
        """Make the odd cycle that the edge closes one: all its places may now be left by an unmatched edge."""
        top = self._meeting_point(one, other)
        inside: set[int] = set()
        self._mark(one, top, other, inside)
        self._mark(other, top, one, inside)
        for place, base in enumerate(self.base):
            if base in inside:
                self.base[place] = top
                self._reach(place)

    def _meeting_point(self, one: int, other: int) -> int:
        """The lowest base that both have above them in the tree."""
        above = {self.base[one]}
        while (up := self._up(one)) is not None:
            one = up
            above.add(one)
        other = self.base[other]
        while other not in above:
            up = self._up(other)
            assert up is not None
            other = up
        return other

    def _up(self, place: int) -> int | None:
        """The next outer base above the one of an outer place."""
        follower = self.partner[self.base[place]]
        if follower is None:
            return None
        before = self.before[follower]
        assert before is not None
        return self.base[before]

    def _mark(self, place: int, top: int, child: int, inside: set[int]) -> None:
        while self.base[place] != top:
            follower = self.partner[place]
            assert follower is not None
            inside.update((self.base[place], self.base[follower]))
            self.before[place] = child
            child = follower
            before = self.before[follower]
            assert before is not None
            place = before
