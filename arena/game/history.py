"""What everybody at the table has seen: the public side of the events. Cards are names (0 to 51)."""

from typing import NamedTuple, TypeAlias

from arena.game.cards import Card
from arena.game.events import DealEnd


class PublicPlay(NamedTuple):
    """A play as the table saw it: the discard, the open card taken (None: closed), and how many cards were refilled."""

    seat: int
    discard: bytes
    taken: Card | None
    refilled: int


class PublicForfeit(NamedTuple):
    """A seat left the match; its hand is shown to nobody."""

    seat: int


PublicEvent: TypeAlias = PublicPlay | PublicForfeit


class PastDeal(NamedTuple):
    """A deal that is over: how it ended, who declared, and by seat the revealed hands (sorted), totals and points.

    Entries are None for seats that were not in at its end, and all of them are after a forfeit that ended the match.
    """

    end: DealEnd
    declarer: int | None
    hands: tuple[bytes | None, ...]
    totals: tuple[int | None, ...]
    points: tuple[int | None, ...]
