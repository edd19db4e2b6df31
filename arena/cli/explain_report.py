"""What the reference thinks of a match, as lines of a terminal and as a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from arena.analysis.evaluation import Estimate
from arena.analysis.explain import Z_95, Accuracy, Judgement, accuracy, foremost, is_level
from arena.cli.cards import cards_text
from arena.cli.output import new_table
from arena.cli.render import FIVE_CARDS, Scene, filled
from arena.cli.seat_view import decks_line, table_lines, take_text
from arena.game.actions import Action, Declare
from arena.game.cards import by_rank, card_name, card_names
from arena.match.explaining import ExplainedTurn
from arena.tournament.entries import Entry

DID = FIVE_CARDS + len("  closed")
LOWEST = len("100 ± 3 %")
POINTS = len("12.3 ± 0.5")
LOSS = len("-12.34 ± 12.34")
FIXED = len("1234 ") + 2 + DID + 2 + LOWEST + 2 + POINTS + 2 + LOSS
"""Columns of a turn's line besides the seat."""

WORST = 5
"""So many of the worst turns are listed."""

OPTIONS = 12
"""So many actions of a single turn are listed."""

LEGEND = """lowest  chance, before the turn, that nobody's total is lower
points  of this deal that the seat is to expect after what it did
loss    points that it cost against the best: own less half the others' mean
±       95 %, for {worlds} deals played out a turn; the reference may err"""


def head(scene: Scene) -> Text:
    """The heads of the columns of turns."""
    heads = (" " * scene.turn_width, "did".ljust(DID), "lowest".rjust(LOWEST), "points".rjust(POINTS), "  loss")
    number, did, *rest = heads
    return Text(f"{'turn':>{len(number)}} {'seat':<{scene.label_width}}  {'  '.join((did, *rest))}", "dim")


def turn_lines(scene: Scene, explained: ExplainedTurn) -> Iterator[Text]:
    """A turn, and what would have been better where that is clear."""
    at, judgement = explained
    line = Text.assemble(f"{at.turn:>{scene.turn_width}} ", scene.label(at.seat), "  ")
    if judgement is None or at.action is None:
        yield line.append(f"the arena acted for it ({at.fault.value if at.fault else 'forfeit'})", "yellow")
        return
    line.append_text(filled(action_text(at.action), DID)).append("  ")
    lowest = _chance(judgement, 0)
    points = _interval(judgement.chosen.points, judgement.chosen.points_error, 1)
    line.append(f"{lowest:>{LOWEST}}  {points:>{POINTS}}  ").append_text(_loss(judgement))
    yield line
    if judgement.is_told_apart:
        yield Text.assemble(scene.indent, " " * scene.label_width, "  better: ", action_text(judgement.best.action))


def closer_lines(scene: Scene, explained: ExplainedTurn) -> Iterator[Text]:
    """One turn alone: the table as its seat saw it, and what each action would have been worth."""
    at, judgement = explained
    yield Text(f"Turn {at.turn}, deal {at.deal}: what seat {at.seat} could know", "bold")
    yield decks_line(at.seen.public)
    yield from table_lines(scene, at.seen)
    if judgement is None:
        return
    yield Text(f"The chance that nobody's total is lower is {_chance(judgement, 1)}.")


def options_table(judgement: Judgement, most: int = OPTIONS, mark: str = "did") -> Table:
    """The best actions of a turn, at most so many, and what the seat did, with this `mark`."""
    table = new_table("", "action", "points", "loss", right=["points", "loss"])
    for one in foremost(judgement, most):
        points = _interval(one.points, one.points_error, 2)
        loss = "best" if is_level(one) else _interval(one.loss, one.loss_error, 2)
        table.add_row(mark if one is judgement.chosen else "", action_text(one.action), points, loss)
    return table


def accuracy_table(names: Sequence[str], turns: Sequence[ExplainedTurn]) -> Table:
    """The mean loss of each seat that had a turn to decide."""
    columns = ("seat", "turns", "loss a turn", "clearly not the best")
    table = new_table(*columns, right=columns[1:])
    for seat, (judged, found) in sorted(_by_seat(turns).items()):
        mean = _interval(found.loss, found.loss_error, 3)
        table.add_row(Text(names[seat]), str(found.turns), mean, str(sum(one.is_told_apart for one in judged)))
    return table


def worst(turns: Iterable[ExplainedTurn]) -> list[ExplainedTurn]:
    """The turns that clearly lost most, the worst first."""
    clear = [one for one in turns if one.judgement is not None and one.judgement.is_told_apart]
    return sorted(clear, key=lambda one: -one.judgement.chosen.loss if one.judgement else 0.0)[:WORST]


def document(bots: Sequence[Entry], turns: Sequence[ExplainedTurn], *, closely: bool) -> dict[str, Any]:
    """What the reference thinks, for programs; `closely` with all actions of each turn. Errors are standard errors."""
    return {
        "seats": [
            {
                "seat": seat,
                "bot": bots[seat].name,
                "version": bots[seat].version,
                "digest": bots[seat].digest.hex(),
                "turns": found.turns,
                "loss": found.loss,
                "loss_error": found.loss_error,
                "clearly_not_best": sum(one.is_told_apart for one in judged),
            }
            for seat, (judged, found) in sorted(_by_seat(turns).items())
        ],
        "turns": [_turn_document(one, closely) for one in turns],
    }


def action_text(action: Action) -> Text:
    """What is thrown and taken, in the columns of five cards."""
    if isinstance(action, Declare):
        return Text("declare")
    thrown = filled(cards_text(by_rank(action.discard)), FIVE_CARDS)
    return Text.assemble(thrown, "  ", take_text(action.take))


def _by_seat(turns: Iterable[ExplainedTurn]) -> dict[int, tuple[list[Judgement], Accuracy]]:
    judged: dict[int, list[Judgement]] = {}
    for at, judgement in turns:
        if judgement is not None:
            judged.setdefault(at.seat, []).append(judgement)
    return {seat: (found, accuracy(found)) for seat, found in judged.items()}


def _chance(judgement: Judgement, digits: int) -> str:
    """The chance to be lowest, within its interval."""
    return f"{100 * judgement.lowest:.{digits}f} ± {100 * judgement.lowest_half_width:.{digits}f} %"


def _loss(judgement: Judgement) -> Text:
    chosen = judgement.chosen
    if is_level(chosen):
        return Text("best")
    return Text(_interval(chosen.loss, chosen.loss_error, 2), "bold" if judgement.is_told_apart else "dim")


def _interval(value: float, error: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return f"{text.removeprefix('-') if float(text) == 0 else text} ± {Z_95 * error:.{digits}f}"


def _turn_document(one: ExplainedTurn, closely: bool) -> dict[str, Any]:
    at, judgement = one
    found: dict[str, Any] = {"turn": at.turn, "deal": at.deal, "seat": at.seat, "fault": at.fault and at.fault.value}
    if judgement is None:
        return found
    found |= {"lowest": judgement.lowest, "lowest_error": judgement.lowest_error}
    found |= {"chosen": _estimate_document(judgement.chosen), "best": _estimate_document(judgement.best)}
    if closely:
        found["actions"] = [_estimate_document(estimate) for estimate in judgement.estimates]
    return found


def _estimate_document(one: Estimate) -> dict[str, Any]:
    action = one.action
    said: dict[str, Any] = {"action": "declare"}
    if not isinstance(action, Declare):
        taken = "closed" if action.take is None else card_name(action.take)
        said = {"action": "play", "discard": card_names(action.discard).split(), "take": taken}
    return said | dict(zip(one._fields[1:], one[1:], strict=True))
