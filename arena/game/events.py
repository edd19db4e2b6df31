"""What happened, one frozen record a change; the state, the record and every view are projections of these.

Cards are actual cards (0 to 103). A tuple "by seat" has one entry a seat, None for seats that are not in.
"""

from enum import Enum
from typing import NamedTuple, TypeAlias

from arena.game.cards import Card


class DealEnd(Enum):
    """How a deal ended. Each value is its name."""

    DECLARED = "DECLARED"
    SHOWDOWN = "SHOWDOWN"
    FORFEIT = "FORFEIT"


class Ending(Enum):
    """How a match ended, apart from who won: the first that applies, in the order of the rules page."""

    FORFEIT = "FORFEIT"
    FIRST_OUT = "FIRST_OUT"
    LAST_STANDING = "LAST_STANDING"
    DEAL_CAP = "DEAL_CAP"


class Dealt(NamedTuple):
    """A deal began: its number from 0, who acts first, the hands by seat, and the card turned up, if any."""

    deal: int
    starter: int
    hands: tuple[bytes | None, ...]
    upcard: Card | None


class Played(NamedTuple):
    """A seat discarded (in canonical order) and got `card`.

    `take` is the open card that was taken, None for the closed deck. `refilled` are the dead cards that went back
    into the closed deck just before, none in most turns.
    """

    seat: int
    discard: bytes
    take: Card | None
    card: Card
    refilled: bytes


class Declared(NamedTuple):
    """A seat declared."""

    seat: int


class Forfeited(NamedTuple):
    """A seat left the match on its turn; its hand went face down to the dead cards."""

    seat: int


class DealEnded(NamedTuple):
    """A deal was scored: totals of the hands and points added, by seat; nothing but None after a forfeit."""

    end: DealEnd
    totals: tuple[int | None, ...]
    points: tuple[int | None, ...]


class MatchEnded(NamedTuple):
    """The match is over: places from 1 and final points, by seat (no entry is None)."""

    ending: Ending
    places: tuple[int, ...]
    points: tuple[int, ...]


Event: TypeAlias = Dealt | Played | Declared | Forfeited | DealEnded | MatchEnded
Events: TypeAlias = tuple[Event, ...]
