"""The port to whatever carries jobs to slots. Carrying is at-least-once at best; that a block counts exactly once is
the ledger's work."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from arena.bots.remote import Access
from arena.bots.sandbox import Level
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.tournament.draw import DrawnMatch
from arena.tournament.ports import BlockResult, BotEvent


class BlockJob(NamedTuple):
    """A block to be played: one match for each rotation."""

    block_id: bytes
    attempt: int
    rotations: tuple[DrawnMatch, ...]


class Job(NamedTuple):
    """A handful of blocks that travel together."""

    blocks: tuple[BlockJob, ...]


class OutcomeKind(Enum):
    """How the run of a block ended."""

    OK = "ok"
    ERROR = "error"
    DIED = "died"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    LOST = "lost"


class Outcome(NamedTuple):
    """What became of one block of a job.

    `result` is there for OK only; `reason` says why for all others; `unstartable` is the digest of a bot that could
    not be started, when that was the reason. `alone` tells whether the block was the only one of its job. `events` are
    what happened to bots meanwhile.
    """

    block_id: bytes
    attempt: int
    kind: OutcomeKind
    worker: str
    alone: bool
    result: BlockResult | None = None
    reason: str = ""
    unstartable: bytes | None = None
    events: tuple[BotEvent, ...] = ()


class Progress(NamedTuple):
    """A sign of life of a running job: matches that ended since the last one."""

    matches: int


class EngineError(Exception):
    """The engine cannot carry jobs any more; the message says why."""


class Engine(Protocol):
    """Carries jobs to slots; at most `capacity()` jobs are handed over at a time, never the whole plan."""

    def capacity(self) -> int:
        """How many more jobs can start at once now."""
        ...

    def submit(self, job: Job, timeout_s: float) -> None:
        """Start a job; it is given up after `timeout_s` without a sign of life."""
        ...

    def next(self, timeout_s: float) -> Outcome | Progress | None:
        """The next outcome of a block or sign of life, or None when nothing came in time."""
        ...

    def cancel(self, block_id: bytes) -> None:
        """Stop the job that holds this block; its unfinished blocks come back as cancelled."""
        ...

    def close(self) -> None:
        """Stop everything; nothing of it runs afterwards."""
        ...


Source: TypeAlias = Path | Access
"""Where a slot finds a bot: the prepared folder, which slots only copy from, or how a remote one is reached."""


@dataclass(frozen=True, slots=True)
class SlotSetup:
    """What a slot must know before its first job.

    `bots` maps a digest to where the bot is found; `tables` and `calls` are the referee's; `warm` is how many bot
    processes may stay between jobs; `core` pins the slot and its bots to one core (None for no pinning); `sandbox` is
    the level at which they are kept.
    """

    variant: Variant
    limits: Limits
    process_limits: ProcessLimits
    bots: dict[bytes, Source]
    tables: int
    calls: int
    warm: int
    core: int | None
    sandbox: Level = "none"
