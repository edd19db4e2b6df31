"""A match as a person at the table sees it while it goes on: made of what the seat may know, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from arena.analysis.counting import count_cards, without
from arena.cli.cards import card_text, cards_text
from arena.cli.moves import CLOSED, DECLARE, Offer
from arena.cli.output import count
from arena.cli.render import FIVE_CARDS, HIDDEN, Scene, deal_begin, deal_end, filled
from arena.game.cards import Card, by_rank, total
from arena.game.history import PublicEvent, PublicForfeit, PublicPlay
from arena.game.view import Observation, PublicView
from arena.match.limits import Limits
from arena.tournament.labels import harmless

INDENT = 4
"""Columns before a seat's name."""

MOST_LABEL = 24
"""Columns of a seat's name at most."""

DISCARD = 24
"""Columns of one discard that is offered."""

A_LINE = 3
"""So many of them stand in a line."""


def seat_scene(names: Sequence[str], person: int | None, limits: Limits, most: int = MOST_LABEL) -> Scene:
    """How a match looks from the person's seat, None for nobody's; `names` are by seat and get `most` columns."""
    labels = tuple(f"{seat} {harmless(name)}" for seat, name in enumerate(names))
    return Scene(labels, person, limits, INDENT, min(most, max(map(cell_len, labels))))


class SeatView:
    """Tells what has happened since it was last asked, and what the person in this seat may do now."""

    def __init__(self, scene: Scene, seat: int) -> None:
        self._scene = scene
        self._seat = seat
        self._past = 0  # deals whose end was told
        self._deal = -1  # the last deal whose beginning was told
        self._events = 0  # what was told of it
        self._without_me = False
        self._hand = b""  # at the person's last turn
        self._kept: bytes | None = None  # what is left of it, when a closed card came to it since

    def news(self, public: PublicView) -> Iterator[Text]:
        """What is new: the end of a deal, with all hands, then the next deal and its plays.

        Of deals without the person the plays are not told.
        """
        yield from self._ends(public)
        if public.deal != self._deal:
            self._deal, self._events, self._kept = public.deal, 0, None
            yield deal_begin(self._scene, public.deal, public.starter, public.upcard)
            if public.seats[self._seat].out:
                self._without_me = True
                yield Text(f"{self._scene.indent}You are out, and the others play on.", "dim")
        yield from self._plays(public)

    def final(self, public: PublicView) -> Iterator[Text]:
        """What is new when the match is over."""
        yield from self._plays(public)
        yield from self._ends(public)

    def turn(self, seen: Observation, offered: Offer) -> Iterator[Text]:
        """The person's own turn: the table, its hand, and what it may do."""
        public = seen.public
        line = Text.assemble("\n", ("Your turn.", "bold"), " ", decks_line(public))
        if self._kept is not None:
            line.append(" You drew ").append_text(cards_text(without(seen.hand, self._kept))).append(".")
        yield line
        yield from table_lines(self._scene, seen)
        yield from _discards(offered)
        yield Text("take   ").append_text(Text("   ").join(_takes(offered)))
        if offered.may_declare:
            yield Text.assemble("or     ", (DECLARE, "bold"), f" with {total(seen.hand)}")
        self._hand = seen.hand

    def _plays(self, public: PublicView) -> Iterator[Text]:
        """The plays that were not told yet, of a deal with the person."""
        if not self._without_me:
            for event in public.events[self._events :]:
                yield from self._event(event)
        self._events = len(public.events)

    def _ends(self, public: PublicView) -> Iterator[Text]:
        """The ends of deals; `public` is looked at often enough that there is one at most."""
        for past in public.past[self._past :]:
            points = [seat.points for seat in public.seats]
            out = [seat.out for seat in public.seats]
            yield from deal_end(self._scene, past, points, out, public.variant)
        self._past = len(public.past)

    def _event(self, event: PublicEvent) -> Iterator[Text]:
        scene, seat = self._scene, event.seat
        if isinstance(event, PublicForfeit):
            yield Text.assemble(scene.indent, scene.label(seat), "  leaves the match, its hand face down")
            return
        if seat == self._seat:
            self._kept = without(self._hand, event.discard) if event.taken is None else None
        if event.refilled:
            yield Text(f"{scene.indent}the closed deck was empty: refilled with {count(event.refilled, 'dead card')}")
        yield _play(scene, event)


def table_lines(scene: Scene, seen: Observation) -> Iterator[Text]:
    """Points and hands by seat; of others' cards those that they took openly."""
    held = count_cards(seen).held
    for seat, (cards, points, out) in enumerate(seen.public.seats):
        line = Text.assemble(
            scene.indent, scene.label(seat), f"  {points:>3} {'point ' if points == 1 else 'points'}  "
        )
        if out:
            yield line.append("    out", "dim")
        elif seat == seen.seat:
            yield line.append(f"{total(seen.hand):>3}  ").append_text(cards_text(by_rank(seen.hand)))
        else:
            known = by_rank(held.get(seat, b""))
            hidden = [Text(HIDDEN, "dim")] * (cards - len(known))
            yield line.append("     ").append_text(Text(" ").join([*map(card_text, known), *hidden]))


def decks_line(public: PublicView) -> Text:
    """What lies open, and how many cards are closed."""
    line = Text("Open: ").append_text(cards_text(by_rank(public.open)) if public.open else Text("nothing"))
    return line.append(f". Closed deck: {count(public.closed_count, 'card')}.")


def take_text(card: Card | None) -> Text:
    """The open card that is taken, or `closed`."""
    return Text(CLOSED) if card is None else card_text(card)


def _play(scene: Scene, event: PublicPlay) -> Text:
    line = Text.assemble(scene.indent, scene.label(event.seat), "  throws ")
    line.append_text(filled(cards_text(by_rank(event.discard)), FIVE_CARDS))
    return line.append("  takes ").append_text(take_text(event.taken))


def _takes(offered: Offer) -> Iterator[Text]:
    return (Text.assemble(f"{number} ", take_text(take)) for number, take in enumerate(offered.takes, 1))


def _discards(offered: Offer) -> Iterator[Text]:
    items = [
        filled(Text.assemble(f"{number:>2} ", cards_text(by_rank(cards)), f" = {total(cards)}"), DISCARD)
        for number, cards in enumerate(offered.numbered, 1)
    ]
    for start in range(0, len(items), A_LINE):
        line = Text("throw " if start == 0 else " " * len("throw "))
        for item in items[start : start + A_LINE]:
            line.append_text(item)
        line.rstrip()
        yield line
    if more := len(offered.discards) - len(items):
        yield Text(f"       and {more} more, which you can type")
