"""A bot that finds out whether its process sees one deal's hands twice, and then shouts.

It remembers, under (deal number, upcard), its own hands, all revealed hands and, from the records of concluded
matches, all dealt hands, each with the table where it saw them. When a hand of its own is among those of another
table, it says so on stderr and appends a line to the file named on its command line. It throws single cards only, so
that its hands stay too large for two deals to have one of them by chance, and always draws, so that those who play
alike come to the same hands in a seat.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path

from arena.sdk import VALUE, Action, Conclusion, Declare, Observation, Play, serve
from arena.wire.v1 import record_pb2

Key = tuple[int, int]  # number of the deal, upcard (-1 without one)

SEEN: defaultdict[Key, defaultdict[bytes, set[int]]] = defaultdict(lambda: defaultdict(set))
UPCARDS: dict[tuple[int, int], int] = {}  # by table and deal


def choose(seen: Observation) -> Action:
    remember_past_deals(seen)
    upcard = -1 if seen.upcard is None else seen.upcard
    UPCARDS[seen.table, seen.deal] = upcard
    tables = SEEN[seen.deal, upcard][bytes(sorted(seen.hand))]
    if tables - {seen.table}:
        shout(seen)
    tables.add(seen.table)
    if seen.may_declare and seen.total <= 20:
        return Declare()
    return Play(bytes([max(seen.hand, key=VALUE.__getitem__)]), None)


def remember_past_deals(seen: Observation) -> None:
    for number, deal in enumerate(seen.past_deals):
        upcard = UPCARDS.get((seen.table, number))
        if upcard is not None:
            for hand in filter(None, deal.hands):
                SEEN[number, upcard][bytes(sorted(hand))].add(seen.table)


def remember_match(conclusion: Conclusion) -> None:
    for number, deal in enumerate(record_pb2.MatchPlay.FromString(conclusion.record).deals):
        upcard = (deal.upcard[0] - 1) % 52 if deal.upcard else -1
        for hand in filter(None, deal.hands):
            SEEN[number, upcard][bytes(sorted((card - 1) % 52 for card in hand))].add(conclusion.table)


def shout(seen: Observation) -> None:
    line = f"process {os.getpid()} knows a hand of deal {seen.deal} from another table"
    sys.stderr.write(line + "\n")
    with Path(sys.argv[1]).open("a") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    serve(choose, name="memory", version="1", on_conclude=remember_match)
