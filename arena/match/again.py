"""A recorded match set back to before one of its turns, so that the turn can be asked again as it was asked then."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arena.game.actions import Declare, Play
from arena.game.cards import NAMES, fold
from arena.game.errors import IllegalAction
from arena.game.events import Events
from arena.game.rules import decide
from arena.game.state import State
from arena.match.faults import Verdict
from arena.match.limits import overrun_ms
from arena.match.player import Encoder
from arena.match.record import MatchRecord, TurnRecord
from arena.match.table import Chair, Match, Table


def table_at(record: MatchRecord, turn: int, encode: Encoder, draw: Callable[[], int]) -> Table:
    """The table of a recorded match before its turn `turn`, counted from 0: `request` is what the seat was asked.

    Only the number of the table, which `draw` gives, is another: it is in no record. Clocks and strikes are as they
    were, but for a bank that was not granted since the bot had missed its deadlines. Raises IndexError when the match
    has no such turn, and ValueError when a recorded turn cannot have been.
    """
    chairs = tuple(_chairs(record))
    match = Match(record.block_id, record.rotation, record.variant, record.limits, chairs, record.seed)
    table = Table(match, encode, draw)
    turns = tuple(record.turns())
    if not 0 <= turn < len(turns):
        raise IndexError(f"the match has {len(turns)} turns and no turn {turn}")
    for number, recorded in enumerate(turns[:turn]):
        try:
            verdict = _verdict(table.state, recorded)
        except IllegalAction as error:
            raise ValueError(f"turn {number} of the record breaks a rule: {error}") from error
        table.settle(verdict, recorded.micros, overrun_ms(recorded.micros / 1e6, 1, record.limits))
    return table


def _chairs(record: MatchRecord) -> Iterator[Chair]:
    for seat, bot in enumerate(record.seats):
        yield Chair(bot, record.seats[:seat].count(bot), record.rotation)


def _verdict(state: State, turn: TurnRecord) -> Events | Verdict:
    """What settled a recorded turn. Records hold actual cards, and actions name them."""
    if turn.fault is not None:
        return Verdict(turn.fault.kind, turn.fault.reason)
    if turn.action is None or isinstance(turn.action, Declare):
        return decide(state, Declare())
    discard, take = turn.action
    return decide(state, Play(fold(discard), None if take is None else take % NAMES))
