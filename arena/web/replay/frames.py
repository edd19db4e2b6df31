"""What lies on the table after each step of a deal, as everybody may see it afterwards or as one seat saw it then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from arena.analysis.counting import count_cards
from arena.game.cards import Card, by_rank, fold, total
from arena.game.events import DealEnd, DealEnded, Dealt, Declared, Ending, Event, Forfeited, MatchEnded, Played
from arena.game.state import State
from arena.game.view import observe
from arena.match.faults import Fault
from arena.match.limits import overrun_ms
from arena.match.playback import Step, Verdict, play_back, verdict
from arena.match.record import PERSON, MatchRecord, TurnRecord


class Kind(Enum):
    """What a step was."""

    DEALT = "dealt"
    PLAYED = "played"
    DECLARED = "declared"
    FORFEITED = "forfeited"
    ENDED = "ended"


KINDS: dict[type[Event], Kind] = {
    Dealt: Kind.DEALT,
    Played: Kind.PLAYED,
    Declared: Kind.DECLARED,
    Forfeited: Kind.FORFEITED,
    DealEnded: Kind.ENDED,
}


class Placed(NamedTuple):
    """A card in its place by name, None face down; `mark` is "", or new, taken or dead in this step."""

    card: Card | None
    mark: str = ""


class Clock(NamedTuple):
    """What a seat has left of its time bank, and its faults so far."""

    bank_ms: float
    strikes: int


@dataclass(frozen=True, slots=True)
class SeatFrame:
    """A seat after a step.

    `total` and `clock` are None where they are not to be seen, and `added` but at the end of a deal.
    """

    seat: int
    cards: tuple[Placed, ...]
    total: int | None
    points: int
    added: int | None
    place: int | None
    clock: Clock | None
    is_out: bool
    has_forfeited: bool
    acts: bool
    is_next: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after a step. `turn` counts over the match, `actor` is None where nobody acted.

    `before` are the open cards that the actor could take from, `thrown` and `got` what it did (`got` is None where it
    is hidden), and `fault`, `micros` are told to those who may know.
    """

    kind: Kind
    deal: int
    turn: int | None
    lap: int
    actor: int | None
    before: tuple[Placed, ...]
    thrown: bytes
    is_open_take: bool
    got: Card | None
    refilled: int
    fault: Fault | None
    micros: int | None
    open: tuple[Placed, ...]
    dead: bytes
    closed: int
    seats: tuple[SeatFrame, ...]
    end: DealEnd | None
    verdict: Verdict | None
    ending: Ending | None


def deal_frames(record: MatchRecord, deal: int, viewer: int | None) -> tuple[Frame, ...]:
    """The frames of a deal: as it was dealt, one for each turn, and how it ended.

    `viewer` is a seat, whose knowledge alone is shown, or None for all hands.
    """
    reader = _Reader(record, viewer)
    return tuple(reader.frames(deal))


class _Reader:
    """Goes through a match and keeps the clocks, which are in no state."""

    def __init__(self, record: MatchRecord, viewer: int | None) -> None:
        self._record = record
        self._viewer = viewer
        self._clocks = [Clock(record.limits.bank_ms, 0)] * len(record.seats)
        self._dead = b""
        self._held: Mapping[int, bytes] = {}

    def frames(self, deal: int) -> Iterator[Frame]:
        """The frames of this deal."""
        last = deal == len(self._record.deals) - 1
        for step in play_back(self._record):
            if step.state.deal > deal:
                return
            if step.turn is not None:
                self._charge(step.turn)
            if step.state.deal < deal or isinstance(step.event, MatchEnded):
                continue
            if not isinstance(step.event, DealEnded):  # which puts the hands that leave the match there
                self._look(step.state)
            yield self._frame(step, is_last=last)

    def _charge(self, turn: TurnRecord) -> None:
        bank_ms, strikes = self._clocks[turn.seat]
        bank_ms = max(0.0, bank_ms - overrun_ms(turn.micros / 1e6, 1, self._record.limits))
        self._clocks[turn.seat] = Clock(bank_ms, turn.fault.strike if turn.fault else strikes)

    def _frame(self, step: Step, *, is_last: bool) -> Frame:
        event, turn, before, state = step
        kind, actor = KINDS[type(event)], None if turn is None else turn.seat
        is_known = actor is not None and self._may_know(actor)
        played = event if isinstance(event, Played) else None
        ended = event if isinstance(event, DealEnded) else None
        shows_card = played is not None and (is_known or played.take is not None)
        return Frame(
            kind=kind,
            deal=state.deal,
            turn=None if turn is None else state.turn - 1,
            lap=state.lap,
            actor=actor,
            before=offered(before, played.take) if played else (),
            thrown=by_rank(fold(played.discard)) if played else b"",
            is_open_take=played is not None and played.take is not None,
            got=fold(bytes([played.card]))[0] if played and shows_card else None,
            refilled=len(played.refilled) if played else 0,
            fault=turn.fault if turn and is_known else None,
            micros=turn.micros if turn and self._is_timed(turn.seat) else None,
            open=tuple(Placed(card) for card in by_rank(fold(state.open))),
            dead=self._dead,
            closed=state.closed_count,
            seats=tuple(self._seat(seat, step, is_last=is_last) for seat in range(state.seats)),
            end=ended.end if ended else None,
            verdict=verdict(state.past_deals[-1], state.variant) if ended else None,
            ending=self._record.ending if ended and is_last else None,
        )

    def _may_know(self, seat: int) -> bool:
        return self._viewer in (None, seat)

    def _is_timed(self, seat: int) -> bool:
        """Whether a seat has a clock of which the viewer may know."""
        return self._may_know(seat) and self._record.seats[seat] != PERSON

    def _look(self, state: State) -> None:
        """Note which cards are dead, and which ones others took openly, as far as the viewer can know."""
        if self._viewer is None:
            self._dead = by_rank(fold(state.dead))
        else:
            counts = count_cards(observe(state, self._viewer))
            self._dead, self._held = by_rank(counts.dead), counts.held

    def _seat(self, seat: int, step: Step, *, is_last: bool) -> SeatFrame:
        event, turn, _, state = step
        ended = isinstance(event, DealEnded)
        hand = self._hand(seat, state, is_revealed=ended)
        got = event.card if isinstance(event, Played) and event.seat == seat else None
        is_hidden = isinstance(event, Played) and event.take is None and not self._may_know(seat)
        goes_on = not ended and not isinstance(event, Declared)
        return SeatFrame(
            seat=seat,
            cards=placed(hand, None if got is None else None if is_hidden else got % 52, is_new=got is not None),
            total=total_of(hand),
            points=state.points[seat],
            added=state.past_deals[-1].points[seat] if ended else None,
            place=self._record.places[seat] if ended and is_last else None,
            clock=self._clocks[seat] if self._is_timed(seat) else None,
            is_out=state.knocked_out[seat] is not None,
            has_forfeited=state.forfeited[seat],
            acts=turn is not None and turn.seat == seat,
            is_next=goes_on and state.seat == seat,
        )

    def _hand(self, seat: int, state: State, *, is_revealed: bool) -> Sequence[Card | None]:
        """A hand by name, as a player holds it; cards that the viewer does not know are None, and stand last."""
        revealed = state.past_deals[-1].hands[seat] if is_revealed else None
        if revealed is not None:
            return tuple(by_rank(revealed))
        own = by_rank(fold(state.hands[seat] or b""))
        if self._viewer is None or self._viewer == seat:
            return tuple(own)
        held = by_rank(self._held.get(seat, b""))
        return (*held, *[None] * (len(own) - len(held)))


def total_of(hand: Sequence[Card | None]) -> int | None:
    """What a hand is worth; None where there is none, or not all of it is known."""
    return None if None in hand or not hand else total(bytes(card for card in hand if card is not None))


def placed(hand: Sequence[Card | None], got: Card | None, *, is_new: bool) -> tuple[Placed, ...]:
    """A hand in which the card that was just got is marked, the last of its like."""
    if not is_new or got not in hand:
        return tuple(map(Placed, hand))
    place = len(hand) - 1 - hand[::-1].index(got)
    return tuple(Placed(card, "new" if at == place else "") for at, card in enumerate(hand))


def offered(cards: bytes, taken: Card | None) -> tuple[Placed, ...]:
    """The open cards before a play: the one that was taken, and the others, which are dead from then on."""
    return tuple(Placed(fold(bytes([card]))[0], "taken" if card == taken else "dead") for card in by_rank(cards))
