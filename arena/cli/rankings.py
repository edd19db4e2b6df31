"""`arena rankings`: the table of a tournament, and under it what one must know to read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from arena.cli.errors import Misuse
from arena.cli.output import DASH, console, count, harmless, print_json
from arena.cli.places import anchor_digest, results

if TYPE_CHECKING:
    from arena.cli.rating_table import Note
    from arena.rating.bot_rows import BotReport
    from arena.store.aggregates import BotSums
    from arena.store.ratings_lists import RatingList
    from arena.store.repository import EntryState, Repository, StoredTournament

SANDBOX = {
    "none": "without a sandbox: nothing but trust kept a bot from the machine and from the other bots",
    "watchdog": "in a sandbox whose memory limit was watched from outside, so that it could be overshot",
    "full": "in a full sandbox",
}
"""What the level of a tournament means for its results."""

MOST_NOTES = 3
"""So many contradictions of one kind are told below the table."""


def rankings(
    tournament: Annotated[
        str | None, typer.Argument(help="Id or name of a tournament; the latest by default.", show_default=False)
    ] = None,
    clean: Annotated[bool, typer.Option("--clean", help="Leave out whole blocks in which a bot had a fault.")] = False,
    pairs: Annotated[bool, typer.Option("--pairs", help="Every two bots: difference, and who is the better.")] = False,
    history: Annotated[bool, typer.Option("--history", help="How the ratings came about, block after block.")] = False,
    online: Annotated[bool, typer.Option("--online", help="With --history: a running Elo, match after match.")] = False,
    luck: Annotated[bool, typer.Option("--luck", help="What the deals save, how the seats fared, circles.")] = False,
    json: Annotated[bool, typer.Option("--json", help="A JSON list; an object with --luck.")] = False,
) -> None:
    """Show the ranking of a tournament: ratings with intervals, ranks, points a deal, faults."""
    if pairs + history + luck > 1:
        raise Misuse("--pairs, --history and --luck are different pages: ask for one of them")
    if online and not history:
        raise Misuse("--online says which ratings --history shows: ask for --history --online")
    with results() as store:
        repository = store.tournaments
        stored = repository.latest() if tournament is None else repository.tournament(tournament)
        if pairs:
            from arena.cli.head_to_head import show_pairs as show
        elif history:
            from arena.cli.rating_history import show_history

            show = partial(show_history, online=online)
        elif luck:
            from arena.cli.luck import show_luck as show
        else:
            show = _show
        show(repository, stored, clean=clean, json=json)


def _show(repository: Repository, stored: StoredTournament, *, clean: bool, json: bool) -> None:
    if json:
        print_json(ranking_rows(read_ranking(repository, stored, clean=clean)))
    else:
        show_ranking(repository, stored, clean=clean)


@dataclass(frozen=True)
class Ranking:
    """All that a page of a tournament's ranking shows; `fared` are its entries by digest, `labels` their names."""

    stored: StoredTournament
    clean: bool
    rated: RatingList
    fared: Mapping[bytes, EntryState]
    sums: Mapping[bytes, BotSums]
    labels: Mapping[bytes, str]

    def faults(self, bot: bytes) -> tuple[int, int]:
        """A bot's faults, and the matches in which it had one."""
        if self.clean or bot not in self.sums:
            return 0, 0
        return self.sums[bot].faults, self.sums[bot].fault_matches


def read_ranking(repository: Repository, stored: StoredTournament, *, clean: bool) -> Ranking:
    """The ranking of all blocks of a tournament that are finished now."""
    from arena.cli.bots import labels

    name = stored.tournament.id
    return Ranking(
        stored,
        clean,
        repository.ratings.current(name, anchor_digest(), clean=clean, quick=True),
        {state.entry.digest: state for state in reversed(repository.entries(name))},
        {sums.bot: sums for sums in repository.sums(name)},
        labels(stored.tournament.entries),
    )


def ranking_rows(ranking: Ranking) -> list[dict[str, Any]]:
    """The ranking as JSON has it; `id` is the digest of the bot, and a bot without matches has no numbers."""
    return [_row(ranking, bot) for bot in _in_order(ranking)]


def _row(ranking: Ranking, bot: BotReport[bytes]) -> dict[str, Any]:
    state = ranking.fared[bot.bot]
    faults, fault_matches = ranking.faults(bot.bot)
    figures = bot._asdict() | {"kind": bot.kind.value, "record": bot.record.value, "bot": state.entry.name}
    return {
        "id": bot.bot.hex(),
        "tournament": ranking.stored.tournament.id,
        "version": state.entry.version,
        **figures,
        "anchor": bot.bot == ranking.rated.anchor,
        "finished_blocks": ranking.rated.blocks,
        "measured_blocks": ranking.rated.measured,
        "faults": faults,
        "fault_matches": fault_matches,
        "fault_share": fault_matches / bot.matches if bot.matches else None,
        "withdrawn": state.withdrawn,
        "voids": state.voids,
    }


def show_ranking(repository: Repository, stored: StoredTournament, *, clean: bool = False) -> None:
    """Print the ranking of a tournament with its notes."""
    from arena.cli.rating_table import notes_table, ratings_table

    ranking = read_ranking(repository, stored, clean=clean)

    def faults(bot: BotReport[bytes]) -> str:
        number, matches = ranking.faults(bot.bot)
        if not bot.matches:
            return DASH
        return f"{number} ({100 * matches / bot.matches:.0f} %)" if number else "0"

    out = console()
    out.print(Text(heading(stored, ranking.rated.blocks), "bold"))
    if clean:
        left_out = ranking.rated.blocks - ranking.rated.summary.blocks
        out.print(Text(f"Without the {count(left_out, 'block')} in which a bot had a fault."))
    out.print()
    out.print(ratings_table(_in_order(ranking), ranking.labels.__getitem__, [("faults", faults)]))
    out.print()
    out.print(notes_table(_notes(ranking)))


def _in_order(ranking: Ranking) -> list[BotReport[bytes]]:
    """The bots as the list has them, but equals by name: their digests mean nothing to a reader."""

    def place(bot: BotReport[bytes]) -> tuple[float, float, str, bytes]:
        group, own = (float("inf") if value is None else value for value in (bot.component, bot.place))
        return group, own, ranking.labels[bot.bot], bot.bot

    return sorted(ranking.rated.bots, key=place)


def heading(stored: StoredTournament, blocks: int) -> str:
    """Which tournament it is and how far; `blocks` of it are in what is shown below."""
    opened = stored.tournament
    state = "finished" if stored.finished else "not finished"
    title = f"{harmless(opened.name)} ({opened.id})" if opened.name else f"Tournament {opened.id}"
    planned = sum(stored.blocks.values())
    return f"{title}: {opened.format}, tables of {opened.seats}, {blocks} of {planned} blocks played, {state}"


def _notes(ranking: Ranking) -> Iterator[Note]:
    """What one must know to read the table."""
    from arena.cli.rating_table import circle_notes, deals_notes, group_notes, reading_notes, seat_notes

    bots, summary, names = _in_order(ranking), ranking.rated.summary, ranking.labels
    yield "rating", _scale(bots, names, ranking.rated.anchor)
    yield from group_notes(bots)
    yield from reading_notes(bots, names.__getitem__)
    if ranking.rated.measured < ranking.rated.blocks:
        yield "block", _measured_at(ranking)
    yield "points", "a deal: how much less than the others at the table; above 0 is better than they"
    yield from deals_notes(summary.design_effect, "; see --luck")
    circles = [[names[bot] for bot in circle.bots] for circle in summary.circles]
    yield from circle_notes(circles, summary.circle_count, most=MOST_NOTES, more="; --luck lists the surest")
    yield from seat_notes(summary.seats)
    yield from _circumstances(ranking.stored, list(ranking.fared.values()), names)


def _measured_at(ranking: Ranking) -> str:
    """Of how many blocks the intervals are, when they are not of all."""
    anew = f"`arena rate {ranking.stored.tournament.id}` computes them anew"
    if not ranking.rated.measured:
        return f"intervals and ranks were not computed yet, since they take a while: {anew}"
    return f"intervals, ranks and luck are those after {ranking.rated.measured} blocks: {anew}"


def _scale(bots: Sequence[BotReport[bytes]], names: Mapping[bytes, str], anchor: bytes | None) -> str:
    anchored = any(bot.bot == anchor and bot.rating is not None for bot in bots)
    origin = f"{names[anchor]} is 1500" if anchored and anchor is not None else "the mean is 1500"
    return f"Elo scale: {origin}, 400 points are odds of ten to one"


def _circumstances(
    stored: StoredTournament, entries: Sequence[EntryState], names: Mapping[bytes, str]
) -> Iterator[Note]:
    """How it was played, and what went wrong."""
    from arena.tournament.ports import BlockState

    yield "sandbox", f"played {SANDBOX.get(stored.tournament.sandbox, stored.tournament.sandbox)}"
    if remote := [names[state.entry.digest] for state in entries if state.entry.remote]:
        whom = " or ".join(remote)
        yield "remote", f"no duplicate deals where {whom} sat: each match against a remote bot has its own cards"
    for state in entries:
        if state.withdrawn is not None:
            yield "gone", f"{names[state.entry.digest]} was withdrawn: {harmless(state.withdrawn)}"
    if voided := [f"{names[state.entry.digest]} {state.voids}" for state in entries if state.voids]:
        yield "void", f"blocks that failed through the arena's own fault, charged to nobody: {', '.join(voided)}"
    if quarantined := stored.blocks[BlockState.QUARANTINED]:
        blocks = count(quarantined, "block")
        yield "given up", f"{blocks} failed too often; `arena tournament show` says why"
