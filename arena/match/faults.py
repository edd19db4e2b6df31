"""The closed vocabulary of a bot's faults. A fault is a strike, and the arena plays for the bot."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class FaultKind(Enum):
    """What was seen. The order of the members is the order of verdict: the first that applies is the fault."""

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
