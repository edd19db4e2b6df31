"""How often somebody may do something: an allowance that fills again with time, for each who asks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic

MOST_KEYS = 10_000
"""So many who asked are remembered; who asked longest ago is forgotten first, and by then has mostly recovered."""


class Allowance:
    """`most` at once, and one more whenever `every_s` seconds have passed; safe for threads."""

    def __init__(self, most: int, every_s: float, now_s: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._every_s = every_s
        self._now_s = now_s
        self._full_at_s: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def take(self, who: str) -> float:
        """Take one: 0 when there was one left, else the seconds until there is one."""
        with self._lock:
            now_s = self._now_s()
            full_at_s = max(self._full_at_s.pop(who, now_s), now_s)
            wait_s = full_at_s - now_s - (self._most - 1) * self._every_s
            self._full_at_s[who] = full_at_s if wait_s > 0 else full_at_s + self._every_s
            if len(self._full_at_s) > MOST_KEYS:
                self._full_at_s.popitem(last=False)
        return max(wait_s, 0.0)
