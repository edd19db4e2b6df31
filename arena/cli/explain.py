"""`arena explain`: what a strong reference thinks of each turn of a finished match, and how well each seat played."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from arena.cli.errors import Misuse
from arena.cli.output import console, error_console, plain, print_json
from arena.cli.places import results
from arena.cli.replay import check_number
from arena.tournament.labels import SHORT, seat_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.cli.render import Scene
    from arena.match.explaining import ExplainedTurn, SeenTurn
    from arena.match.record import MatchRecord


def explain(
    match: Annotated[
        str, typer.Argument(metavar="ID", help="The match, as `arena matches` shows it.", show_default=False)
    ],
    turn: Annotated[
        int | None, typer.Option(min=0, help="This turn alone, with all that could be done.", show_default=False)
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="The turns of this seat alone.", show_default=False)] = None,
    worlds: Annotated[
        int, typer.Option(metavar="N", min=10, max=10_000, help="Deals that are played out for a turn, twice.")
    ] = 1000,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Tell what each turn of a finished match was worth, and how much each seat lost by its play.

    A strong reference plays many deals out from each turn, with hidden cards as they may lie for all that the seat
    could know: it never looks at those that really lay there.
    """
    from arena.cli.explain_report import document
    from arena.store.exporting import read_record

    with results() as store:
        found = store.matches.find(match)
        stored = store.tournaments.tournament(found.tournament)
    record = read_record(found)
    check_number("seat", seat, len(record.seats))
    id_ = f"{found.tournament}/{record.block_id.hex()[:SHORT]}/{record.rotation}"
    turns = _judged(record, _wanted(record, turn, seat), worlds, shown=not json)
    entries = {entry.digest: entry for entry in stored.tournament.entries}
    bots = [entries[digest] for digest in record.seats]
    if json:
        print_json({"id": id_, "worlds": worlds, **document(bots, list(turns), closely=turn is not None)})
        return
    names = seat_labels(record.seats, stored.tournament.entries)
    console().print(Text(f"Match {id_}", "bold"))
    if turn is not None:
        _show_closely(record, names, next(turns))
        return
    if clear := _show(record, names, turns, worlds):
        _lead_on(clear.at, id_, bots[clear.at.seat].name)


def _wanted(record: MatchRecord, turn: int | None, seat: int | None) -> list[SeenTurn]:
    """The turns that are asked for; Misuse when there are none."""
    from arena.match.explaining import seen_turns

    every = list(seen_turns(record))
    check_number("turn", turn, len(every))
    found = [one for one in every if turn in (None, one.turn) and seat in (None, one.seat)]
    if not found:
        raise Misuse(
            f"turn {turn} is one of seat {every[turn].seat}, not of seat {seat}: leave --seat out"
            if turn is not None
            else f"seat {seat} had no turn in this match: choose another"
        )
    return found


def _judged(record: MatchRecord, wanted: Sequence[SeenTurn], worlds: int, *, shown: bool) -> Iterator[ExplainedTurn]:
    """Judge the turns one after the other, with a bar on the terminal where they are not shown there as they come."""
    from rich.progress import track

    from arena.match.explaining import explained

    out = error_console()
    hidden = not out.is_terminal or (shown and sys.stdout.isatty())
    for one in track(wanted, "explaining", console=out, transient=True, disable=hidden):
        yield explained(record, one, worlds)


def _show(
    record: MatchRecord, names: Sequence[str], turns: Iterable[ExplainedTurn], worlds: int
) -> ExplainedTurn | None:
    """All turns, deal by deal, then what they come to; returns the worst, if one was clearly not the best."""
    from arena.cli.explain_report import LEGEND, accuracy_table, head, turn_lines, worst
    from arena.cli.render import deal_begin

    out, scene = console(), _scene(record, names)
    out.print(Text(LEGEND.format(worlds=worlds), "dim"), soft_wrap=True)
    done: list[ExplainedTurn] = []
    for one in turns:
        public = one.at.seen.public
        if not done or done[-1].at.deal != one.at.deal:
            out.print(deal_begin(scene, public.deal, public.starter, public.upcard))
            out.print(head(scene))
        done.append(one)
        for line in turn_lines(scene, one):
            out.print(line, soft_wrap=True)
    out.print(Text("\nWhat the seats lost by their play", "bold"))
    out.print(accuracy_table(scene.labels, done))
    clear = worst(done)
    if clear:
        out.print(Text("\nThe turns that clearly cost most", "bold"))
        out.print(head(scene))
    for line in chain.from_iterable(turn_lines(scene, one) for one in clear):
        out.print(line, soft_wrap=True)
    return clear[0] if clear else None


def _lead_on(at: SeenTurn, id_: str, bot: str) -> None:
    """Say how to look closer at a turn."""
    commands = (
        f"explain {id_} --turn {at.turn}",
        f"replay {id_} --deal {at.deal} --seat {at.seat}",
        f"bots ask {quote(bot)} --match {id_} --turn {at.turn}",
    )
    console().print("\nTo look closer at the first of them:", style="dim")
    for command in commands:
        console().print(plain(f"  arena {command}"), style="dim", soft_wrap=True)


def _show_closely(record: MatchRecord, names: Sequence[str], one: ExplainedTurn) -> None:
    """One turn with all that could be done."""
    from arena.cli.explain_report import closer_lines, options_table, turn_lines

    out, scene = console(), _scene(record, names)
    for line in closer_lines(scene, one):
        out.print(line, soft_wrap=True)
    if one.judgement is None:
        for line in turn_lines(scene, one):
            out.print(line, soft_wrap=True)
        return
    out.print(options_table(one.judgement))


def _scene(record: MatchRecord, names: Sequence[str]) -> Scene:
    from arena.cli.explain_report import FIXED
    from arena.cli.seat_view import seat_scene

    return seat_scene(names, None, record.limits, max(8, console().width - FIXED))
