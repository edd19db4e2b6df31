"""Rankings, every two bots of one against each other, how the ratings came about, and what is known of luck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.rating.bot_rows import BotReport
    from arena.rating.report import Report
    from arena.rating.shares import Share
    from arena.store.meetings import Meeting
    from arena.store.ranking import Ranking
    from arena.store.ratings_history import Mark
    from arena.store.ratings_lists import Summary


def ranked_document(ranking: Ranking, bot: BotReport[bytes]) -> dict[str, Any]:
    """A row of a ranking; `id` is the digest of the bot, and a bot without matches has no numbers."""
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


def pair_documents(report: Report[bytes]) -> list[dict[str, Any]]:
    """Each pair once; what they did against each other is there when they met."""
    bots, met = report.results.bots, report.intransitivity.meetings
    columns = (met.first, met.second, met.blocks, met.games, met.points, met.expected)
    meetings = {(bots[a], bots[b]): rest for a, b, *rest in zip(*(column.tolist() for column in columns), strict=True)}
    fields = ("blocks", "games", "points", "expected")
    documents = []
    for pair in report.comparisons.pairs():
        figures = dict(zip(fields, meetings.get((pair.a, pair.b), (0, 0, 0.0, 0.0)), strict=True))
        documents.append(pair._asdict() | {"a": pair.a.hex(), "b": pair.b.hex()} | figures)
    return documents


def met_document(a: bytes, b: bytes, met: Meeting, share: Share) -> dict[str, Any]:
    """How two bots fared against each other, from sums alone."""
    return {
        "a": a.hex(),
        "b": b.hex(),
        "blocks": met.blocks,
        "games": met.games,
        "wins": met.wins,
        "draws": met.draws,
        "points": met.sums.points,
        **share._asdict(),
    }


def mark_documents(marks: Iterable[Mark]) -> list[dict[str, Any]]:
    """The ratings after so many blocks, mark after mark."""
    return [
        {"blocks": mark.blocks, "ratings": {bot.hex(): rating for bot, rating in sorted(mark.ratings.items())}}
        for mark in marks
    ]


def course_document(tournament: str, bot: bytes, marks: Iterable[Mark]) -> dict[str, Any]:
    """How the rating of one bot came about in the tournament with this id, where it had one."""
    rated = [{"blocks": mark.blocks, "rating": mark.ratings[bot]} for mark in marks if bot in mark.ratings]
    return {"id": bot.hex(), "tournament": tournament, "marks": rated}


def luck_document(tournament: str, summary: Summary) -> dict[str, Any]:
    """What is known of luck in the tournament with this id."""
    return {
        "tournament": tournament,
        **summary._asdict(),
        "design_effect": summary.design_effect._asdict(),
        "seats": [seat._asdict() for seat in summary.seats],
        "circles": [
            {"bots": [bot.hex() for bot in circle.bots], "likelihood": circle.superiority} for circle in summary.circles
        ],
    }
