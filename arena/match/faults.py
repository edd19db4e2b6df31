"""The closed vocabulary of a bot's faults, and the one order in which what was seen becomes a verdict.

A fault is a strike, and the arena plays for the bot (rule page: substituted play, forfeit).
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class FaultKind(Enum):
    """What was seen."""

    NOT_STARTED = "NOT_STARTED"
    CRASHED = "CRASHED"
    TIMEOUT = "TIMEOUT"
    BAD_REPLY = "BAD_REPLY"
    REFUSED = "REFUSED"
    STALE_TURN = "STALE_TURN"
    ILLEGAL_ACTION = "ILLEGAL_ACTION"


class Fault(NamedTuple):
    """A fault as it stands in a record; `strike` counts the seat's faults of the match, this one included."""

    kind: FaultKind
    reason: str
    strike: int


class Verdict(NamedTuple):
    """A fault in the making: not yet counted as a strike."""

    kind: FaultKind
    reason: str
