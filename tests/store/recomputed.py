"""The aggregates, made anew from the stored seats in a way of their own."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from math import fsum
from pathlib import Path
from typing import Any

SEATS = """
    SELECT m.tournament, m.block, m.id, m.deals, s.bot, bot.digest, s.place, s.points, s.faults
    FROM seat s JOIN "match" m ON m.id = s."match" JOIN bot ON bot."key" = s.bot ORDER BY m.block, m.rotation, s.seat
"""


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def assert_sound(path: Path) -> None:
    """The file is whole, its rows fit together, and its aggregates are what the seats say."""
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows(path, "PRAGMA foreign_key_check") == []
    pairs, totals = _recompute(path)
    counted = "tournament, a, b, seats, clean, n, wins, draws"
    assert {row[:5]: row[5:] for row in rows(path, f"SELECT {counted} FROM pair")} == pairs
    assert_sound_edges(path)
    columns = "tournament, bot, blocks, matches, seats, place_sum, lead_micro, faults, fault_matches"
    assert {row[:2]: row[2:] for row in rows(path, f"SELECT {columns} FROM total")} == totals
    done = rows(path, "SELECT count(*) FROM block WHERE state = 'done'")
    assert rows(path, 'SELECT count(DISTINCT block) FROM "match"') == done
    assert rows(path, "SELECT count(*) FROM record") == rows(path, 'SELECT count(*) FROM "match"')


def assert_sound_edges(path: Path) -> None:
    """How far the mean scores of blocks lie above one half, by pair and by seat, is what the seats say."""
    blocks: dict[Any, list[list[Any]]] = defaultdict(list)
    for tournament, block, match, _, *seat in rows(path, SEATS):
        blocks[tournament, block, match].append(seat)
    by_pair: dict[Any, list[float]] = defaultdict(list)
    by_chair: dict[Any, list[float]] = defaultdict(list)
    for (tournament, block, _), seats in blocks.items():
        for number, (bot, _, place, *_) in enumerate(seats):
            scores = {
                other: [0.5 * (1 + (behind > place) - (behind < place)) for b, _, behind, *_ in seats if b == other]
                for other in {seat[0] for seat in seats} - {bot}
            }
            met = [score for many in scores.values() for score in many]
            if met:
                by_chair[tournament, bot, number, block].append(fsum(met) / len(met))
            for other, many in scores.items():
                by_pair[tournament, bot, other, block] += many
    sums = "sum(blocks), sum(edge_micro), sum(square_micro)"
    stored, edges = rows(path, f"SELECT tournament, a, b, {sums} FROM pair GROUP BY 1, 2, 3"), _added(by_pair)
    assert {row[:3]: row[3:] for row in stored} == {row[:3]: edges[row[:3]] for row in stored}
    stored = rows(path, "SELECT tournament, bot, seat, blocks, edge_micro, square_micro FROM chair")
    assert {row[:3]: row[3:] for row in stored} == _added(by_chair)


def _added(scores: dict[Any, list[float]]) -> dict[Any, tuple[int, int, int]]:
    """The sums over blocks, the last part of the key."""
    found: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0])
    for (*key, _), many in scores.items():
        edge = fsum(many) / len(many) - 0.5
        added = (1, round(1e6 * edge), round(1e6 * edge**2))
        found[tuple(key)] = [a + b for a, b in zip(found[tuple(key)], added, strict=True)]
    return {key: (blocks, edge, square) for key, (blocks, edge, square) in found.items()}


def _recompute(path: Path) -> tuple[dict[Any, Any], dict[Any, Any]]:
    blocks: dict[Any, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for tournament, block, match, *seat in rows(path, SEATS):
        blocks[tournament, block][match].append(seat)
    pairs: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0])
    totals: dict[Any, list[int]] = defaultdict(lambda: [0] * 7)
    for (tournament, _), matches in blocks.items():
        everyone = [seat for seats in matches.values() for seat in seats]
        clean = int(sum(seat[5] for seat in everyone) == 0)
        for seats in matches.values():
            for _, a, digest, place, *_ in seats:
                for _, b, other, behind, *_ in seats:
                    if digest < other:
                        pair = pairs[tournament, a, b, len(seats), clean]
                        pair[:] = pair[0] + 1, pair[1] + (place < behind), pair[2] + (place == behind)
        for bot in {seat[1] for seat in everyone}:
            own = [seat for seat in everyone if seat[1] == bot]
            leads = []
            for seats in matches.values():
                for deals, one, _, _, points, _ in seats:
                    if one == bot:
                        others = (sum(seat[4] for seat in seats) - points) / (len(seats) - 1)
                        leads.append((others - points) / max(1, deals))
            played = [seats for seats in matches.values() if any(seat[1] == bot for seat in seats)]
            faulted = [seats for seats in played if any(seat[1] == bot and seat[5] for seat in seats)]
            added = (1, len(played), len(own), sum(seat[3] for seat in own), round(1e6 * fsum(leads) / len(own)))
            faults = (sum(seat[5] for seat in own), len(faulted))
            totals[tournament, bot] = [a + b for a, b in zip(totals[tournament, bot], added + faults, strict=True)]
    return {key: tuple(value) for key, value in pairs.items()}, {key: tuple(value) for key, value in totals.items()}
