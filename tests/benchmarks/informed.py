"""What choosing lineups for a question saves: blocks until it is answered, against lineups drawn in balance."""

from __future__ import annotations

from statistics import geometric_mean
from typing import Any

from arena.tournament.formats.balance import balanced_tables
from arena.tournament.formats.informed import answer
from arena.tournament.rounds import Round, Setting, SettledBlock
from tests.tournament.formats.settled import lucky, play_out, setting

BOTS = 10
BUDGET = 8_000
RUNS = 4
SPREAD = {2: 0.3, 4: 0.22}
QUESTIONS = ("leader", "top-3 separated", "pair bot0004 bot0005", "newcomer bot0006")


def run() -> dict[str, Any]:
    """Geometric means over some runs, at tables of 2 and of 4."""
    found: dict[str, Any] = {}
    for seats in SPREAD:
        for question in QUESTIONS:
            wanted = setting(BOTS, seats, question=question, blocks=BUDGET)
            chosen = geometric_mean(informed(wanted, seed) for seed in range(RUNS))
            drawn = geometric_mean(balanced(wanted, seed) for seed in range(RUNS))
            found[f"{seats} seats, {question}, chosen, blocks"] = round(chosen)
            found[f"{seats} seats, {question}, in balance, blocks"] = round(drawn)
            found[f"{seats} seats, {question}, times fewer"] = round(drawn / chosen, 1)
    return found


def informed(wanted: Setting, seed: int) -> int:
    """Blocks until the format ends."""
    return sum(map(len, play_out("informed", wanted, lucky(seed, SPREAD[wanted.seats]))))


def balanced(wanted: Setting, seed: int) -> int:
    """Blocks until the same rule says that the question is answered, looking as often."""
    referee, had = lucky(seed, SPREAD[wanted.seats]), dict[tuple[bytes, ...], int]()
    tables = balanced_tables(range(BOTS), wanted.seats, BUDGET, b"%d" % seed).tolist()
    rounds: list[Round] = []
    played = 0
    while played < BUDGET:
        blocks = []
        for table in tables[played : played + max(16, played // 8)]:
            lineup = tuple(sorted(wanted.entries[bot].digest for bot in table))
            number = had[lineup] = had.get(lineup, -1) + 1
            blocks.append(SettledBlock(lineup, number, referee(lineup, number)))
        rounds.append(tuple(blocks))
        played += len(blocks)
        found = answer(wanted, rounds)
        if found and found.complete:
            break
    return played
