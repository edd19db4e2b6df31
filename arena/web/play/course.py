"""What a person at the table sees happen, step by step, made of nothing but what its seat may know.

The same frames as those of a replay through the eyes of that seat, but for clocks and faults, of which nothing is told
while a game goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.analysis.counting import Counts, count_cards, without
from arena.game.cards import Card, by_rank
from arena.game.history import PastDeal, PublicForfeit, PublicPlay
from arena.game.view import Observation
from arena.match.playback import verdict
from arena.match.record import MatchRecord
from arena.web.replay.frames import Frame, Kind, Placed, SeatFrame, deal_frames, offered, placed, total_of


class Course:
    """Tells what happened since it was last asked; `seen` is what the seat knows now, None before the first look."""

    def __init__(self) -> None:
        self.seen: Observation | None = None
        self._turn = 0
        self._forfeited: frozenset[int] = frozenset()

    def look(self, seen: Observation, acting: int) -> tuple[Frame, ...]:
        """The frames of what led to this look, at which the seat `acting` is to act; each turn is looked at once."""
        before, self.seen = self.seen, seen
        frames = tuple(self._frames(before, seen, acting))
        self._turn += 1
        return frames

    def finish(self, record: MatchRecord, seat: int) -> Iterator[Frame]:
        """The frames of the last turn and of how the match ended, when it is over and all hands are known."""
        deal = len(record.deals) - 1
        shown = len(self.seen.public.events) + 1 if self.seen is not None and self.seen.public.deal == deal else 0
        for frame in deal_frames(record, deal, seat)[shown:]:
            yield replace(frame, micros=None, fault=None, seats=tuple(replace(one, clock=None) for one in frame.seats))

    def _frames(self, before: Observation | None, seen: Observation, acting: int) -> Iterator[Frame]:
        if before is None:
            yield self._dealt(seen, acting)
        elif before.public.deal == seen.public.deal:
            yield self._acted(before, seen, acting)
        else:
            past = seen.public.past[-1]
            if past.declarer is not None:
                yield self._declared(before, past.declarer)
            yield self._ended(before, seen, past)
            yield self._dealt(seen, acting)

    def _dealt(self, seen: Observation, acting: int) -> Frame:
        return self._frame(Kind.DEALT, seen, count_cards(seen), self._seats(seen, acting))

    def _acted(self, before: Observation, seen: Observation, acting: int) -> Frame:
        event = seen.public.events[-1]
        counts = count_cards(seen)
        if isinstance(event, PublicForfeit):
            self._forfeited |= {event.seat}
            seats = self._seats(seen, acting, event.seat)
            return replace(self._frame(Kind.FORFEITED, seen, counts, seats), turn=self._turn - 1, actor=event.seat)
        got = _got(before, seen, event)
        return replace(
            self._frame(Kind.PLAYED, seen, counts, self._seats(seen, acting, event.seat, got, is_play=True)),
            turn=self._turn - 1,
            actor=event.seat,
            before=offered(before.public.open, event.taken),
            thrown=by_rank(event.discard),
            is_open_take=event.taken is not None,
            got=got,
            refilled=event.refilled,
        )

    def _declared(self, before: Observation, declarer: int) -> Frame:
        seats = self._seats(before, None, declarer)
        frame = self._frame(Kind.DECLARED, before, count_cards(before), seats)
        return replace(frame, turn=self._turn - 1, actor=declarer)

    def _ended(self, before: Observation, seen: Observation, past: PastDeal) -> Frame:
        """The end of a deal: `before` is what lay on the table, `seen` has the points that it led to."""
        seats = tuple(
            replace(
                one,
                cards=one.cards if hand is None else tuple(map(Placed, by_rank(hand))),
                total=past.totals[one.seat],
                points=seen.public.seats[one.seat].points,
                added=past.points[one.seat],
                is_out=seen.public.seats[one.seat].out and not one.has_forfeited,
            )
            for one, hand in zip(self._seats(before, None), past.hands, strict=True)
        )
        frame = self._frame(Kind.ENDED, before, count_cards(before), seats)
        return replace(frame, end=past.end, verdict=verdict(past, seen.public.variant))

    def _frame(self, kind: Kind, seen: Observation, counts: Counts, seats: tuple[SeatFrame, ...]) -> Frame:
        """A frame in which nobody has acted."""
        public = seen.public
        return Frame(
            kind=kind,
            deal=public.deal,
            turn=None,
            lap=_laps(seen),
            actor=None,
            before=(),
            thrown=b"",
            is_open_take=False,
            got=None,
            refilled=0,
            fault=None,
            micros=None,
            open=tuple(map(Placed, by_rank(public.open))),
            dead=by_rank(counts.dead),
            closed=public.closed_count,
            seats=seats,
            end=None,
            verdict=None,
            ending=None,
        )

    def _seats(
        self,
        seen: Observation,
        acting: int | None,
        actor: int | None = None,
        got: Card | None = None,
        *,
        is_play: bool = False,
    ) -> tuple[SeatFrame, ...]:
        """All seats; `got` is the card that a play brought to its `actor`, None where it is hidden."""
        held = count_cards(seen).held
        hands = [_hand(seen, held.get(seat, b""), seat) for seat in range(len(seen.public.seats))]
        return tuple(
            SeatFrame(
                seat=seat,
                cards=placed(hand, got, is_new=is_play and seat == actor),
                total=total_of(hand),
                points=seen.public.seats[seat].points,
                added=None,
                place=None,
                clock=None,
                is_out=seen.public.seats[seat].out and seat not in self._forfeited,
                has_forfeited=seat in self._forfeited,
                acts=seat == actor,
                is_next=seat == acting,
            )
            for seat, hand in enumerate(hands)
        )


def _hand(seen: Observation, held: bytes, seat: int) -> Sequence[Card | None]:
    """A hand by name, as a player holds it; cards that the viewer does not know are None, and stand last."""
    if seat == seen.seat:
        return tuple(by_rank(seen.hand))
    known = by_rank(held)
    return (*known, *[None] * (seen.public.seats[seat].cards - len(known)))


def _got(before: Observation, seen: Observation, event: PublicPlay) -> Card | None:
    """The card that a play brought, as far as the viewer knows it."""
    if event.taken is not None or event.seat != seen.seat:
        return event.taken
    return without(seen.hand, without(before.hand, event.discard))[0]


def _laps(seen: Observation) -> int:
    """How many laps of the deal are complete: every seat that is still in had so many turns."""
    turns = [event.seat for event in seen.public.events]
    return min(turns.count(seat) for seat, one in enumerate(seen.public.seats) if not one.out)
