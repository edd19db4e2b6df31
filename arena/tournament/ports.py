"""What a running tournament hands to a store and needs of it: the ledger of blocks is the only truth.

A block goes todo → running → done, or ends as quarantined (it failed too often) or withdrawn (a bot of its lineup could
not be started). Whoever leads a tournament holds its lock and an epoch; writes of an older epoch are refused, so two
leaders can never both count a block.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from arena.game.variant import Variant
from arena.match.limits import Limits
from arena.tournament.entries import Entry
from arena.tournament.habits import HabitCount

if TYPE_CHECKING:
    from arena.tournament.rounds import Round  # brings numpy with it, which few that look here need


class BlockState(Enum):
    """Where a block stands in the ledger."""

    TODO = "todo"
    RUNNING = "running"
    DONE = "done"
    QUARANTINED = "quarantined"
    WITHDRAWN = "withdrawn"


class VoidCause(Enum):
    """Why a run of a block brought nothing: never a bot's doing, so never a bot's loss."""

    ERROR = "error"
    DIED = "died"
    TIMEOUT = "timeout"
    LOST = "lost"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that was fixed when a tournament opened.

    `secret` is the 32 bytes behind the commitment; `beacon` names the public value whose text is `beacon_text` (both
    empty without one, the text as long as it is waited for); `entries` are sorted as in the entries digest; `sandbox`
    is the level at which it was opened.
    `options` are those of the format (JSON values by name), `owners` the owners of bots by digest, where they have one.
    """

    id: str
    name: str
    format: str
    seats: int
    deals: int
    variant: Variant
    limits: Limits
    secret: bytes
    beacon: str
    beacon_text: str
    entries: tuple[Entry, ...]
    sandbox: str
    opened: datetime
    options: Mapping[str, Any] = field(default_factory=dict)
    owners: Mapping[bytes, str] = field(default_factory=dict)

    @property
    def waits_for_beacon(self) -> bool:
        """Whether no card can be dealt yet, since nobody has told the text of the beacon."""
        return self.beacon != "" and self.beacon_text == ""


class PlannedBlock(NamedTuple):
    """A block of the plan; `number` counts the blocks of its lineup, `lineup` holds sorted digests."""

    block_id: bytes
    number: int
    lineup: tuple[bytes, ...]


class ClaimedBlock(NamedTuple):
    """A block that a leader has taken to be played; `attempt` counts how often it was claimed, from 1."""

    block: PlannedBlock
    attempt: int


class SeatResult(NamedTuple):
    """What a match brought to one seat."""

    bot: bytes
    place: int
    points: int
    faults: int
    forfeited: bool


class MatchResult(NamedTuple):
    """A finished match: the packed record, the digest of its play, and what the aggregates are made of.

    `deals` counts the deals that scored, `turns` all turns; `habits` is how each seat played, empty if not counted.
    """

    rotation: int
    digest: bytes
    record: bytes
    deals: int
    turns: int
    seats: tuple[SeatResult, ...]
    habits: tuple[tuple[HabitCount, ...], ...] = ()


class BlockResult(NamedTuple):
    """A complete block: one match for each rotation, in order."""

    block_id: bytes
    attempt: int
    matches: tuple[MatchResult, ...]


class BotEventKind(Enum):
    """What can happen to a bot beside its results."""

    STARTED = "started"
    NOT_STARTED = "not started"
    CALL_FAILED = "call failed"
    """A call of many turns failed as a whole: no fault, its turns were asked again one at a time."""
    FAULT = "fault"
    ENDED = "ended"
    """Its process ended by itself between two calls, which is no fault."""
    PAUSED = "paused"
    """Its processes are stopped between calls from now on, since they used too much of a core there."""
    WITHDRAWN = "withdrawn"
    RESTORED = "restored"


class BotEvent(NamedTuple):
    """Something that happened to a bot while blocks were played: for its author, apart from all results.

    `block_id`, `rotation` and `turn` say where, None where that is no single place; `fault` is the kind of a fault or
    failed call, "" for others; `reason` is one line, partly in the bot's own words; `output` is what its process had
    printed last, of bounded size. Whoever reads `output` may learn hands, so a store shows it only when no block that
    was in play then is still to be played.
    """

    bot: bytes
    kind: BotEventKind
    at: datetime
    fault: str = ""
    reason: str = ""
    output: str = ""
    block_id: bytes | None = None
    rotation: int | None = None
    turn: int | None = None


class LedgerError(Exception):
    """The ledger refused: the lock is taken, or this leader's epoch is over. The message says which."""


class StorageError(Exception):
    """The store failed (a full disk, a damaged file): nothing was half-stored. The message says what and what to do."""


class Ledger(Protocol):
    """The store as a campaign sees it; every method is one transaction and may raise StorageError."""

    def lead(self, tournament: str) -> AbstractContextManager[int]:
        """Hold the lock of a tournament; yields the new epoch. Blocks left running become todo. Raises LedgerError."""
        ...

    def claim(self, tournament: str, epoch: int, most: int) -> tuple[ClaimedBlock, ...]:
        """Mark the next todo blocks in plan order as running, at most `most`.

        A block that was in a run that died is suspect and is handed out alone, so that only the guilty one is blamed.
        """
        ...

    def complete(self, tournament: str, epoch: int, result: BlockResult, events: Sequence[BotEvent] = ()) -> bool:
        """Store a block with its aggregates; False when it was stored already or is no longer wanted.

        `events` are what happened to bots meanwhile, here and in the next two methods: logged in the same transaction.
        """
        ...

    def void(
        self,
        tournament: str,
        epoch: int,
        block_id: bytes,
        cause: VoidCause,
        reason: str,
        events: Sequence[BotEvent] = (),
        *,
        alone: bool,
    ) -> BlockState:
        """Take back a claim: todo again, or quarantined after 3 voids (10 when it was lost by an engine).

        `alone` tells whether the block was the only one of its run; if not, a death makes it suspect and no more.
        """
        ...

    def withdraw(self, tournament: str, epoch: int, bot: bytes, reason: str, events: Sequence[BotEvent] = ()) -> int:
        """Withdraw a bot: its blocks that are not done become withdrawn; returns how many."""
        ...

    def rounds(self, tournament: str) -> tuple[Round, ...]:
        """The blocks that are settled, round by round in plan order: done, or given up and so without results."""
        ...

    def withdrawn(self, tournament: str) -> frozenset[bytes]:
        """The digests of the bots that were withdrawn."""
        ...

    def extend(self, tournament: str, epoch: int, blocks: Collection[PlannedBlock], round_number: int) -> int:
        """Put the blocks of a round behind the plan and return how many they are; 0 when the round is there already.

        Rounds are numbered from 0, so whoever died after this may do it again.
        """
        ...

    def counts(self, tournament: str) -> Mapping[BlockState, int]:
        """How many blocks stand in each state."""
        ...

    def finish(self, tournament: str, epoch: int) -> None:
        """Mark the tournament as finished: nothing is left to do, its secret may be shown, and no bot is restored."""
        ...
