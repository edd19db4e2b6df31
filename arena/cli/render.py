"""A match as lines of a terminal: every turn in one line of at most 80 columns (at hands of five cards)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from arena.cli.cards import card_text, cards_text
from arena.game.cards import Card, by_rank, card_name, total
from arena.game.events import DealEnd, DealEnded, Dealt, Declared, MatchEnded, Played
from arena.game.history import PastDeal
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.limits import Limits
from arena.match.playback import Step, play_back, verdict
from arena.match.record import MatchRecord, TurnRecord
from arena.tournament.labels import harmless

HIDDEN = "··"
"""A card that the viewer does not see."""

DEAD = "dim"
"""The style of open cards that nobody took: they are dead from then on."""

FIVE_CARDS = 14
TAKES = len("closed 9c")
FIXED = 1 + 2 + FIVE_CARDS + 2 + FIVE_CARDS + 2 + TAKES + 2 + 3 + 2 + FIVE_CARDS
"""Columns of a turn's line besides the turn's number and the seat."""


@dataclass(frozen=True, slots=True)
class Scene:
    """How a match is shown.

    `labels` name the seats, `viewer` is the seat through whose eyes it is seen (None: all hands are open), and the
    widths are in columns.
    """

    labels: tuple[str, ...]
    viewer: int | None
    limits: Limits
    turn_width: int
    label_width: int

    def label(self, seat: int) -> Text:
        """Number and name of a seat, cut or filled to the width of its column."""
        text = self.labels[seat]
        if cell_len(text) > self.label_width:
            text = set_cell_size(text, self.label_width - 1) + "…"
        return Text(set_cell_size(text, self.label_width))

    @property
    def indent(self) -> str:
        """The room of a turn's number in lines that have none."""
        return " " * (self.turn_width + 1)


def match_lines(
    record: MatchRecord, names: Sequence[str], *, viewer: int | None, deal: int | None, width: int
) -> Iterator[Text]:
    """Yield a match line by line for a terminal of `width` columns.

    `names` are the bots by seat. `viewer` is a seat, which sees its own hand and what is public, or None for all hands;
    `deal` shows that one deal alone.
    """
    labels = tuple(f"{seat} {harmless(name)}" for seat, name in enumerate(names))
    turn_width = max(4, len(str(sum(1 for _ in record.turns()))))
    room = max(8, width - turn_width - FIXED)
    scene = Scene(labels, viewer, record.limits, turn_width, min(room, max(map(cell_len, labels))))
    for step in play_back(record):
        if isinstance(step.event, MatchEnded):
            if deal is None or deal == step.state.deal:
                yield from match_end(scene, step.event, step.state)
        elif deal is None or deal == step.state.deal:
            yield from _lines(scene, step)


def _lines(scene: Scene, step: Step) -> Iterator[Text]:
    event, turn, _, state = step
    if isinstance(event, Dealt):
        yield from _dealt(scene, event, state)
    elif isinstance(event, DealEnded):
        out = [deal == state.deal for deal in state.knocked_out]
        yield from deal_end(scene, state.past_deals[-1], state.points, out, state.variant)
    elif turn is not None:
        if isinstance(event, Played) and event.refilled:
            cards = f"{len(event.refilled)} dead card{_s(len(event.refilled))}"
            yield Text(f"{scene.indent}the closed deck was empty: refilled with {cards}", "italic")
        yield _turn(scene, step)
        if turn.fault is not None and scene.viewer in (None, turn.seat):
            yield _fault(scene, turn)


def deal_begin(scene: Scene, deal: int, starter: int, upcard: Card | None) -> Text:
    """Who starts a deal, and what is turned up."""
    line = Text.assemble("\n", (f"Deal {deal}", "bold"), f"  {scene.labels[starter]} to start, ")
    if upcard is None:
        return line.append("no card is turned up")
    return line.append_text(card_text(upcard)).append(" is turned up")


def _dealt(scene: Scene, event: Dealt, state: State) -> Iterator[Text]:
    yield deal_begin(scene, event.deal, event.starter, event.upcard)
    for seat, hand in enumerate(event.hands):
        if hand is not None:
            points = f"  {state.points[seat]:>3} point{_s(state.points[seat])}" if event.deal else ""
            yield Text.assemble(scene.indent, scene.label(seat), "  ", _hand(scene, state, seat), points)
    heads = ("open".ljust(FIVE_CARDS), "discards".ljust(FIVE_CARDS), "takes".ljust(TAKES), "sum", "holds")
    yield Text(f"{'turn':>{scene.turn_width}} {'seat':<{scene.label_width}}  {'  '.join(heads)}", "dim")


def _turn(scene: Scene, step: Step) -> Text:
    """The line of one turn: number, seat, what was open, what it did, and the hand that it had then."""
    event, turn, before, state = step
    assert turn is not None
    taken = event.take if isinstance(event, Played) else None
    line = Text.assemble(f"{state.turn - 1:>{scene.turn_width}} ", scene.label(turn.seat), "  ")
    line.append_text(_open_cards(before, taken)).append("  ")
    if isinstance(event, Declared):
        line.append("declares".ljust(FIVE_CARDS + 2 + TAKES), "bold").append("  ")
        return line.append_text(_hand(scene, state, turn.seat))
    if not isinstance(event, Played):
        return line.append("forfeits", "bold")
    line.append_text(filled(cards_text(by_rank(event.discard)), FIVE_CARDS)).append("  ")
    line.append_text(filled(_take(scene, event), TAKES)).append("  ")
    return line.append_text(_hand(scene, state, turn.seat))


def _take(scene: Scene, event: Played) -> Text:
    """What a play got: an open card, or one from the closed deck, which only its own seat sees."""
    if event.take is not None:
        return card_text(event.card)
    if scene.viewer not in (None, event.seat):
        return Text("closed")
    return Text.assemble("closed ", card_text(event.card))


def _open_cards(cards: bytes, taken: int | None) -> Text:
    """The open cards before a turn; those that were not taken are dim."""
    shown = [card_text(card) if card == taken else Text(card_name(card), DEAD) for card in by_rank(cards)]
    return filled(Text(" ").join(shown), FIVE_CARDS)


def _fault(scene: Scene, turn: TurnRecord) -> Text:
    """What was wrong with a turn, and what the arena did."""
    fault = turn.fault
    assert fault is not None
    reason = f" ({harmless(fault.reason)})" if fault.reason else ""
    followed = "the seat leaves the match, its hand face down" if turn.action is None else "the arena played for it"
    strike = f"strike {fault.strike} of {scene.limits.strikes}"
    return Text(f"{scene.indent}! {fault.kind.value}{reason}, {strike}: {followed}", "yellow")


def deal_end(
    scene: Scene, past: PastDeal, points: Sequence[int], out: Sequence[bool], variant: Variant
) -> Iterator[Text]:
    """How a deal ended, with the revealed hands, what it added to the points, and who was knocked `out` by it.

    `points` and `out` are by seat, after the deal.
    """
    yield Text.assemble(scene.indent, (_verdict(scene, past, variant), "bold"))
    for seat, (hand, sum_, added) in enumerate(zip(past.hands, past.totals, past.points, strict=True)):
        if hand is None or sum_ is None or added is None:
            continue
        line = Text.assemble(scene.indent, scene.label(seat), f"  {sum_:>3}  ")
        line.append_text(filled(cards_text(by_rank(hand)), FIVE_CARDS))
        line.append(f"  {f'+{added}':>4} = {points[seat]} point{_s(points[seat])}")
        if out[seat]:
            line.append("  out", "bold red")
        yield line


def _verdict(scene: Scene, past: PastDeal, variant: Variant) -> str:
    """One sentence on how a deal ended."""
    if past.end is DealEnd.FORFEIT:
        return "One seat is left: the deal is not scored"
    found = verdict(past, variant)
    if found is None:
        return "Nobody declared in time: showdown, each pays the difference to the lowest"
    declared = f"{scene.labels[found.declarer]} declared {found.own}"
    if found.holds:
        return f"{declared}: it holds"
    return f"{declared}, but {scene.labels[found.rival]} has {found.lowest}: it is false"


def match_end(scene: Scene, event: MatchEnded, state: State) -> Iterator[Text]:
    """The places, best first."""
    deals = f"{state.deal + 1} deal{_s(state.deal + 1)}"
    yield Text.assemble("\n", ("The match ended", "bold"), f": {event.ending.value}, {deals}, {state.turn} turns")
    for seat in sorted(range(state.seats), key=lambda seat: event.places[seat]):
        place = f"{event.places[seat]:>{scene.turn_width}}"
        points = f"{event.points[seat]:>3} point{_s(event.points[seat])}"
        forfeited = "  forfeited" if state.forfeited[seat] else ""
        yield Text.assemble((place, "bold"), " ", scene.label(seat), f"  {points}{forfeited}")


def _hand(scene: Scene, state: State, seat: int) -> Text:
    """Sum and cards of a hand, or as many hidden cards; what a viewer sees comes from its view alone."""
    hand = _seen(scene.viewer, state, seat)
    if isinstance(hand, int):
        return Text(f"     {' '.join([HIDDEN] * hand)}", "dim")
    return Text.assemble(f"{total(hand):>3}  ", cards_text(by_rank(hand)))


def _seen(viewer: int | None, state: State, seat: int) -> bytes | int:
    """The cards of a hand, or how many they are when the viewer must not know them."""
    if viewer is None:
        return state.hands[seat] or b""
    view = observe(state, viewer)
    return view.hand if seat == viewer else view.public.seats[seat].cards


def filled(text: Text, width: int) -> Text:
    """The text with blanks up to `width` columns."""
    text.pad_right(max(0, width - text.cell_len))
    return text


def _s(count: int) -> str:
    """The plural's ending."""
    return "" if count == 1 else "s"
