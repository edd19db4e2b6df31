"""The state of a match: a slotted object with one owner, changed by `rules.evolve` alone; all others only read."""

from dataclasses import dataclass, field, replace
from typing import Self

from arena.game.chance import Chance
from arena.game.events import Dealt, MatchEnded
from arena.game.history import PastDeal, PublicEvent
from arena.game.variant import Variant


@dataclass(slots=True)
class State:
    """Where every card of a match is, whose turn it is, and what has happened.

    Lists are by seat. Cards are actual cards (0 to 103), unsorted. Two states are equal when all but their sources
    of chance are. `State(variant, seats, chance)` is a match before its first deal.
    """

    variant: Variant
    seats: int
    chance: Chance = field(compare=False, repr=False)

    deal: int = -1
    """The number of the deal, from 0."""
    starter: int = 0
    """The seat that acts first in this deal."""
    seat: int = -1
    """The seat to act; -1 before the first deal and when the match is over."""
    turn: int = 0
    """How many turns the match has had: the number of the turn to come."""
    lap: int = 0
    """How many laps of this deal are complete."""

    hands: list[bytes | None] = field(default_factory=list)
    """None for seats that are out."""
    open: bytes = b""
    """The cards that the seat to act may take from."""
    dead: bytes = b""
    """The cards that are out of the deal unless the closed deck is refilled."""
    closed: bytes = b""
    """The cards of the closed deck; their order here means nothing, chance decides who gets which."""
    refills: int = 0
    """How often the closed deck of this deal was refilled."""
    draws: list[int] = field(default_factory=list)
    """How many cards each seat got from its present order, so that its next is at this position or later. Zeros are
    always right, and needed when a copy gets another source of chance."""

    points: list[int] = field(default_factory=list)
    knocked_out: list[int | None] = field(default_factory=list)
    """The deal that knocked the seat out, None if none did."""
    forfeited: list[bool] = field(default_factory=list)

    clockwise: tuple[int, ...] = ()
    """The next seat that is in, after each seat."""
    last_of_lap: int = -1
    """The seat whose turn completes a lap: the last that is in, clockwise from the starter."""

    dealt: Dealt | None = None
    """The last deal as it was dealt."""
    declarer: int | None = None
    """Who declared in this deal; set only until it is scored."""
    events_of_deal: list[PublicEvent] = field(default_factory=list)
    past_deals: tuple[PastDeal, ...] = ()
    outcome: MatchEnded | None = None
    """How the match ended; None while it is going on."""

    def __post_init__(self) -> None:
        if not self.hands:
            self.hands = [None] * self.seats
            self.points = [0] * self.seats
            self.knocked_out = [None] * self.seats
            self.forfeited = [False] * self.seats

    @property
    def closed_count(self) -> int:
        """How many cards are in the closed deck."""
        return len(self.closed)

    @property
    def may_take_closed(self) -> bool:
        """Whether a closed take is possible: the closed deck or the dead cards are not empty."""
        return bool(self.closed or self.dead)

    @property
    def may_declare(self) -> bool:
        """Whether the seat to act may declare: not on its first turn of a deal (rule 5)."""
        return self.lap > 0

    def copy(self) -> Self:
        """Return an independent copy; the source of chance, which never changes, is shared."""
        return replace(
            self,
            hands=self.hands.copy(),
            draws=self.draws.copy(),
            points=self.points.copy(),
            knocked_out=self.knocked_out.copy(),
            forfeited=self.forfeited.copy(),
            events_of_deal=self.events_of_deal.copy(),
        )
