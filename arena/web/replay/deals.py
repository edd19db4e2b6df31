"""The deals of a recorded match at a glance."""

from __future__ import annotations

from typing import NamedTuple

from arena.match.record import MatchRecord


class DealRow(NamedTuple):
    """A deal as the list of deals shows it; all by seat, and `sums` are the points after it."""

    deal: int
    starter: int
    turns: int
    end: str
    declarer: int | None
    totals: tuple[int | None, ...]
    points: tuple[int | None, ...]
    sums: tuple[int, ...]


def deal_rows(record: MatchRecord) -> list[DealRow]:
    """The deals of a match, with what each brought."""
    rows: list[DealRow] = []
    sums = [0] * len(record.seats)
    for number, deal in enumerate(record.deals):
        sums = [sum_ + (added or 0) for sum_, added in zip(sums, deal.points, strict=True)]
        declarer = deal.turns[-1].seat if deal.turns and deal.end.value == "DECLARED" else None
        fared = (declarer, deal.totals, deal.points, tuple(sums))
        rows.append(DealRow(number, deal.starter, len(deal.turns), deal.end.value, *fared))
    return rows
