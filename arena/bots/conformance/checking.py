"""A check from its first step to its last, for whoever shows the reports as they come."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from time import monotonic

from arena.bots.conformance import measures, steps
from arena.bots.conformance.asking import ask_alone
from arena.bots.conformance.corners import fixed_turns, ordinary_turns
from arena.bots.conformance.findings import Reply, StepReport
from arena.bots.conformance.interview import Interview, MakePlayer, Tally
from arena.bots.errors import StartError

TURNS_S = 16.0
ORDER_S = 10.0
BATCH_S = 8.0
SPEED_S = 4.0
"""The time of a step; no call is begun after it."""

IDLE_S = 1.2
"""Longer than the window over which it is worked out what a bot uses of a core between calls."""

MOST_BATCH = 64
"""Turns in a call whose time is measured, as far as the bot takes so many."""


class Check:
    """The check of one bot, which `make` makes players of.

    `name` and `version` are those of its manifest, "" where there is none. `tally` is what its processes took, and
    `answers` says after `whole` whether it answers at all.
    """

    def __init__(self, make: MakePlayer, name: str = "", version: str = "", idle_s: float = IDLE_S) -> None:
        """`idle_s` is for how long it is left alone once."""
        self._make = make
        self._name = name
        self._version = version
        self._idle_s = idle_s
        self.tally = Tally()
        self.answers = False

    def quick(self) -> Iterator[StepReport]:
        """Start, description, fixed turns, one by one and together: all that shows faults, and nothing that measures.

        Ends early when the bot does not start.
        """
        with self._interview() as first:
            replies = yield from self._begin(first)
            if replies is None:
                return
            yield steps.turns(replies, len(fixed_turns()))
            yield steps.batch(first, replies, monotonic() + BATCH_S, compared=False)

    def whole(self) -> Iterator[StepReport]:
        """All steps that need nobody else; ends early when the bot does not start, or answers no turn at all."""
        with self._interview() as first:
            replies = yield from self._begin(first)
            if replies is None:
                return
        yield steps.turns(replies, len(fixed_turns()))
        self.answers = not all(reply.failed for reply in replies)
        if not self.answers:
            return
        order, again = steps.order(self._interview, replies, monotonic() + ORDER_S)
        yield order
        with self._interview() as third:
            with suppress(StartError):  # the first call tells
                third.start()
            repeatable = bool(order.figures["repeatable"])
            batch = steps.batch(third, replies, monotonic() + BATCH_S, compared=repeatable)
            yield batch
            yield steps.idle(third, fixed_turns()[0], self._idle_s, self.tally)
            ordinary, known = tuple(ordinary_turns(MOST_BATCH)), [*replies, *again]
            size = 1 if batch.failed else int(batch.figures.get("turns_a_call") or 1)
            yield measures.speed(third, known, ordinary, size, monotonic() + SPEED_S)

    def _begin(self, first: Interview) -> Generator[StepReport, None, Sequence[Reply] | None]:
        """Start and description; returns what came of the fixed turns, None when the bot did not start."""
        yield (started := steps.start(first))
        if started.failed:
            return None
        yield steps.describe(first, self._name, self._version)
        return ask_alone(first, fixed_turns(), monotonic() + TURNS_S)

    def _interview(self) -> Interview:
        return Interview(self._make, self.tally)
