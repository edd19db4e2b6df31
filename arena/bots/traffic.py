"""When a bot was asked and when it answered: told by its player, read by the watchdog, without a lock between them."""

from __future__ import annotations

from time import monotonic

AFTERMATH_S = 0.005
"""So long after an answer its connection may still have something to say."""


class Traffic:
    """The calls to one bot. A span is a call or a gap between two; the first span is its start."""

    __slots__ = ("addresses", "answered", "busy", "since", "span")

    def __init__(self, addresses: frozenset[tuple[str, int]] = frozenset()) -> None:
        """`addresses` are the IP addresses and ports that it can be reached at, if it can be reached so."""
        self.addresses = addresses
        self.answered = 0
        self.span = 0
        self.busy = True
        self.since = monotonic()

    def begin(self) -> None:
        """It is asked something now."""
        self.since = monotonic()
        self.busy = True
        self.span += 1

    def end(self) -> None:
        """It has answered, or its start is over."""
        self.since = monotonic()
        self.busy = False
        self.span += 1
        self.answered += 1

    def resting(self) -> bool:
        """Whether nothing was asked of it for a while, so that it has nothing to say."""
        return not self.busy and monotonic() - self.since > AFTERMATH_S
