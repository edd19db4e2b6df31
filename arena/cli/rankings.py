"""`arena rankings`: the table of a tournament, and under it what one must know to read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from arena.cli.output import DASH, console, faults_text, harmless, new_table, print_json, signed
from arena.cli.places import anchor_digest, results

if TYPE_CHECKING:
    from arena.rating.standings import Standing
    from arena.store.repository import EntryState, Repository, StoredTournament

SANDBOX = {
    "none": "without a sandbox: nothing but trust kept a bot from the machine and from the other bots",
    "watchdog": "in a sandbox whose memory limit was watched from outside, so that it could be overshot",
    "full": "in a full sandbox",
}
"""What the level of a tournament means for its results."""


def rankings(
    tournament: Annotated[
        str | None, typer.Argument(help="Id or name of a tournament; the latest by default.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False,
) -> None:
    """Show the ranking of a tournament: rating, mean place, points a deal, faults."""
    with results() as store:
        repository = store.tournaments
        stored = repository.latest() if tournament is None else repository.tournament(tournament)
        if json:
            print_json(rows(repository, stored))
        else:
            show_ranking(repository, stored)


def rows(repository: Repository, stored: StoredTournament) -> list[dict[str, Any]]:
    """The ranking as JSON has it; `id` is the digest of the bot, and a bot without matches has no numbers."""
    anchor = anchor_digest()
    entries = repository.entries(stored.tournament.id)
    fared = {state.entry.digest: state for state in reversed(entries)}
    return [
        {
            "id": row.bot.hex(),
            "tournament": stored.tournament.id,
            "place": row.place,
            "bot": row.name,
            "version": row.version,
            "rating": row.rating,
            "record": row.record.value,
            "component": row.component,
            "anchor": row.bot == anchor,
            "matches": row.matches,
            "blocks": row.blocks,
            "mean_place": row.mean_place,
            "points_a_deal": row.points_a_deal,
            "faults": row.faults,
            "fault_matches": row.fault_matches,
            "fault_share": row.fault_matches / row.matches if row.matches else None,
            "withdrawn": fared[row.bot].withdrawn,
            "voids": fared[row.bot].voids,
        }
        for row in _standings(repository, stored, entries, anchor)
    ]


def show_ranking(repository: Repository, stored: StoredTournament) -> None:
    """Print the ranking of a tournament with its notes."""
    from arena.cli.bots import labels

    anchor = anchor_digest()
    entries = repository.entries(stored.tournament.id)
    table_rows = _standings(repository, stored, entries, anchor)
    names = labels(stored.tournament.entries)
    out = console()
    out.print(Text(_heading(stored), "bold"))
    out.print()
    columns = ("place", "bot", "rating", "matches", "mean\nplace", "points\na deal", "faults\nin matches")
    table = new_table(*columns, right=[column for column in columns if column != "bot"])
    for row, following in zip(table_rows, [*table_rows[1:], None], strict=True):
        ends = following is not None and following.component != row.component
        table.add_row(*_cells(row, names[row.bot]), end_section=ends)
    out.print(table)
    out.print()
    for note in _notes(stored, entries, table_rows, names, anchor):
        out.print(Text(note, "dim"))


def _standings(
    repository: Repository, stored: StoredTournament, entries: Sequence[EntryState], anchor: bytes | None
) -> tuple[Standing[bytes], ...]:
    """The standings of all entries; those without a finished block are there with zeros."""
    from arena.rating.counts import PairCount
    from arena.rating.standings import BotTotals, standings

    name = stored.tournament.id
    sums = {one.bot: one for one in repository.sums(name)}
    bots = {state.entry.digest: state.entry for state in reversed(entries)}
    totals = []
    for digest, entry in bots.items():
        one = sums.get(digest)
        counted = (
            (one.seats, one.blocks, one.place_sum, one.lead_micro, one.faults, one.fault_matches) if one else 6 * (0,)
        )
        totals.append(BotTotals(digest, *counted, entry.name, entry.version))
    counts = [PairCount(*pair) for pair in repository.pairs(name)]
    return standings(totals, counts, anchor=anchor)


def _heading(stored: StoredTournament) -> str:
    from arena.tournament.ports import BlockState

    opened = stored.tournament
    planned, done = sum(stored.blocks.values()), stored.blocks[BlockState.DONE]
    state = "finished" if stored.finished else "not finished"
    title = f"{harmless(opened.name)} ({opened.id})" if opened.name else f"Tournament {opened.id}"
    return f"{title}: {opened.format}, tables of {opened.seats}, {done} of {planned} blocks played, {state}"


def _cells(row: Standing[bytes], name: str) -> list[str | Text]:
    from arena.rating.model import Record

    rating = DASH
    if row.rating is not None:
        rating = f"{row.rating:.0f}" + ("*" if row.record is not Record.MIXED else "")
    return [
        DASH if row.place is None else str(row.place),
        Text(name),
        rating,
        str(row.matches) if row.matches else DASH,
        DASH if row.mean_place is None else f"{row.mean_place:.2f}",
        DASH if row.points_a_deal is None else signed(row.points_a_deal),
        faults_text(row.faults, row.fault_matches, row.matches),
    ]


def _notes(
    stored: StoredTournament,
    entries: Iterable[EntryState],
    table_rows: Sequence[Standing[bytes]],
    names: Mapping[bytes, str],
    anchor: bytes | None,
) -> Iterator[str]:
    """What one must know to read the table, a line each."""
    from arena.tournament.ports import BlockState

    yield _scale(table_rows, names, anchor)
    yield "Points a deal: how much less than the others at the table; above 0 is better than they."
    yield from _record_notes(table_rows, names)
    yield f"Played {SANDBOX.get(stored.tournament.sandbox, stored.tournament.sandbox)}."
    if remote := [names[state.entry.digest] for state in entries if state.entry.remote]:
        yield f"No duplicate deals where {' or '.join(remote)} sat: each match against a remote bot has its own cards."
    for state in entries:
        if state.withdrawn is not None:
            yield f"{names[state.entry.digest]} was withdrawn: {harmless(state.withdrawn)}"
    if voided := [f"{names[state.entry.digest]} {state.voids}" for state in entries if state.voids]:
        yield f"Blocks that failed through the arena's own fault, charged to nobody, by bot: {', '.join(voided)}."
    if quarantined := stored.blocks[BlockState.QUARANTINED]:
        yield f"{quarantined} blocks failed too often and were given up; `arena tournament show` says why."


def _scale(table_rows: Sequence[Standing[bytes]], names: Mapping[bytes, str], anchor: bytes | None) -> str:
    anchored = any(row.bot == anchor and row.rating is not None for row in table_rows)
    origin = f"{names[anchor]} is 1500" if anchored and anchor is not None else "the mean is 1500"
    if (components := len({row.component for row in table_rows if row.component})) < 2:
        return f"Ratings are on the Elo scale: {origin}, 400 points are odds of ten to one."
    return (
        f"Ratings are on the Elo scale: {origin}, 400 points are odds of ten to one. The bots form {components} groups "
        "that did not meet, so ratings compare only within a group; each further group has a mean of 1500."
    )


def _record_notes(table_rows: Sequence[Standing[bytes]], names: Mapping[bytes, str]) -> Iterator[str]:
    """Say of which bots the results bound the rating on one side only."""
    from arena.rating.model import Record

    for record, what, side in ((Record.UNBEATEN, "lost", "from above"), (Record.WINLESS, "won", "from below")):
        if bots := [names[row.bot] for row in table_rows if row.record is record]:
            whom = f" {'to' if what == 'lost' else 'from'} any but each other" if len(bots) > 1 else ""
            yield f"* {', '.join(bots)} {what} no point{whom}, so nothing bounds the rating {side}: a cautious guess."
