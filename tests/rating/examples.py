"""Lists of results with known answers, written as orders of finish: "A=B>C", the matches of a block apart by blanks."""

from __future__ import annotations

import json

from arena.rating.counts import MatchResult
from arena.rating.results import Block, Results

WINS_TIES_LOSSES = ["A>B"] * 70 + ["A=B"] * 10 + ["B>A"] * 20
BLOCKS_OF_TWO = ["B>A B>A"] * 30 + ["B>A A=B"] * 6 + ["A>B B>A"] * 18 + ["A>B A>B"] * 6
THROUGH_A_THIRD = ["A>B"] * 30 + ["B>A"] * 10 + ["B>C"] * 30 + ["C>B"] * 10
CIRCLE = ["A>B"] * 60 + ["B>A"] * 40 + ["B>C"] * 60 + ["C>B"] * 40 + ["C>A"] * 60 + ["A>C"] * 40
SIX_TABLES = ["A>B>C>D", "A=B>C>D", "B>A>D>C", "C>A>B=D", "A>B=C=D", "D>C>B>A"]
UNBEATEN = ["A>B"] * 10 + ["B>C"] * 6 + ["C>B"] * 4
MIXED_SIZES = [
    "A>B>C>D B>A>D>C A>C>B>D D>A>B>C",
    "B>A=C>D A>C>D>B C>B>A>D A>B=D>C",
    "A>D>C>B B>C>A=D A>B>C>D C>D>A>B",
    "A>C C>A",
    "A>C A>C",
    "B>D B=D",
    "B>D D>B",
    "A>B>D D>A>B B>A>D",
]
THREE_AT_A_TABLE = ["A>B>C"] * 4 + ["A>C>B"] * 2 + ["B>A>C"] * 3 + ["C>A>B", "B>C>A", "C>B>A"]
TWO_COMPONENTS = ["A>B"] * 3 + ["B>A"] + ["C>D"] * 9 + ["D>C"] * 3


def match(order: str, faulted: str = "") -> MatchResult[str]:
    """Read an order of finish: seats as written, places by standard competition ranking."""
    seats: list[str] = []
    places: list[int] = []
    for level in order.split(">"):
        place = len(seats) + 1
        for bot in level.split("="):
            seats.append(bot)
            places.append(place)
    return MatchResult(tuple(seats), tuple(places), tuple(bot in faulted for bot in seats))


def block(key: int, orders: str, faulted: str = "") -> Block[str]:
    return Block(key, tuple(match(order, faulted) for order in orders.split()))


def results(blocks: list[str], bots: str = "") -> Results[str]:
    return Results.from_blocks([block(key, orders) for key, orders in enumerate(blocks)], bots)


def lines(blocks: list[str]) -> list[str]:
    """The same as lines of JSON."""
    found = []
    for number, orders in enumerate(blocks):
        for order in orders.split():
            one = match(order)
            found.append(json.dumps({"block": f"q{number}", "seats": one.seats, "places": one.places}))
    return found
