"""What happens to the bots of a slot, collected from all its threads until it travels with the report of a block.

Events are rare; of a bot whose every turn fails only the first ones of each block are kept.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from arena.match.faults import Verdict
from arena.match.player import CallFailure
from arena.match.table import Chair, Table
from arena.tournament.ports import BotEvent, BotEventKind

MOST_EVENTS = 12
"""So many events of one bot are kept for each block, and so many that belong to no block for each report."""

MOST_OUTPUTS = 500
"""So many events of one bot come with output in a slot's life; a bot that fails in every match has shown enough."""


class Journal:
    """The events of one slot. `output` gives what the process of a chair printed last."""

    def __init__(self, output: Callable[[Chair], str]) -> None:
        self._output = output
        self._lock = threading.Lock()
        self._events: dict[bytes | None, list[BotEvent]] = {}
        self._dropped: Counter[tuple[bytes | None, bytes]] = Counter()
        self._outputs: Counter[bytes] = Counter()

    def note(self, bot: bytes, kind: BotEventKind, reason: str, output: str) -> None:
        """Something happened to a bot beside its turns, as that a process was started."""
        self._add(BotEvent(bot, kind, datetime.now(UTC), reason=reason), lambda: output)

    def failure(self, tables: Sequence[Table], what: Verdict | CallFailure) -> None:
        """The seat to act had a fault at its one table, or a call with the turns of many failed as a whole."""
        table, *others = tables
        chair = table.match.chairs[table.state.seat]
        detail = what.detail if isinstance(what, CallFailure) else ""
        event = BotEvent(chair.bot, BotEventKind.FAULT, datetime.now(UTC), what.kind.value, detail or what.reason)
        if others:
            reason = f"a call of {len(tables)} turns, which were asked again one at a time; {event.reason}"
            event = event._replace(kind=BotEventKind.CALL_FAILED, reason=reason.removesuffix("; "))
        else:
            match = table.match
            event = event._replace(block_id=match.block_id, rotation=match.rotation, turn=table.state.turn)
        self._add(event, lambda: what.output if isinstance(what, CallFailure) else self._output(chair))

    def take(self, block_id: bytes) -> tuple[BotEvent, ...]:
        """What belongs to the block, and what belongs to no block, since they were taken last."""
        with self._lock:
            found = [event for key in (None, block_id) for event in self._finished(key)]
        return tuple(sorted(found, key=lambda event: event.at))

    def forget(self) -> None:
        """Drop what belongs to blocks that were reported."""
        with self._lock:
            self._events = {None: self._events.get(None, [])}

    def _finished(self, key: bytes | None) -> list[BotEvent]:
        """Take the events of one key; the last one of a bot that had more says how many."""
        events = self._events.pop(key, [])
        for at in reversed(range(len(events))):
            if more := self._dropped.pop((key, events[at].bot), 0):
                reason = f"{events[at].reason} (and {more} more, which were not kept)".strip()
                events[at] = events[at]._replace(reason=reason)
        return events

    def _add(self, event: BotEvent, output: Callable[[], str]) -> None:
        with self._lock:
            kept = sum(other.bot == event.bot for other in self._events.get(event.block_id, ()))
            if kept >= MOST_EVENTS:
                self._dropped[event.block_id, event.bot] += 1
                return
            self._outputs[event.bot] += 1
            wanted = self._outputs[event.bot] <= MOST_OUTPUTS
        if wanted:
            event = event._replace(output=output())  # may take a moment, so not under the lock
        with self._lock:
            self._events.setdefault(event.block_id, []).append(event)
