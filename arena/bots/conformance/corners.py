"""The fixed turns: every corner of the rules once, and a few ordinary turns. Data; `turns.py` makes turns of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from arena.analysis.policies import Greedy
from arena.bots.conformance.turns import Chore, Corner, FixedTurn, Move, ask, request, state_of, throw
from arena.game.actions import Declare
from arena.game.rules import decide, evolve
from arena.game.variant import Crossing, Finish, Variant
from arena.game.view import observe

TURNS = 50
"""So many turns are fixed: the corners, and for the rest ordinary ones."""

S = Chore.SIMPLE
DECLARE = Declare()
LAP = (S, S)

RUN = "4c 5d 6h 7s 8c"
FIVE_IN_A_ROW = {"0": RUN, "1": "Tc Jd Qh 3s 9c"}
OUT = throw(RUN)

SIX_POINTS = {"0": "Ac 2c 2d 3c Kh", "1": "Ad 3d 3h 4c Ks"}
DRAWN = {0: "2h", 1: "5d"}
"""Seat 0 declares 10 in the second lap against 16: seat 1 has 6 points then."""

LOW = {"0": "Ac 2c 2d 3c Kh"}
LOWER = {0: "Ad"}

BEGINNING = (
    Corner("the first turn of a match"),
    Corner("the first turn without an upcard", Variant(upcard=False)),
    Corner("a second turn, so declaring is allowed", moves=LAP),
    Corner("the last seat of eight", seats=8, moves=[S] * 7),
    Corner("the greatest number of a table", table=2**64 - 1),
    Corner("no time left in the bank", moves=LAP, bank_ms=0, last_latency_us=499_000),
    Corner("names are shown", seats=3, moves=[S] * 3, show_names=True),
)

DISCARDS = (
    Corner("a pair", dealt={"0": "4s 4h 9c Kd 6d"}),
    Corner("three of a kind", dealt={"0": "7s 7h 7d Kc Kd"}),
    Corner("four of a kind", dealt={"0": "7s 7h 7d 7c Kd"}),
    Corner("two pairs of different ranks", dealt={"0": "Ks Kh 7c 7d 2s"}),
    Corner("two pairs of different ranks, allowed", Variant(mixed_pairs=True), dealt={"0": "Ks Kh 7c 7d 2s"}),
    Corner("a run with a low ace", dealt={"0": "As 2s 3d 9c 9h"}),
    Corner("a run with a high ace", dealt={"0": "Qs Kh Ad 3c 5c"}),
    Corner("no run around the ace", dealt={"0": "Ks Ah 2d 5c 9h"}),
    Corner("four in a row", dealt={"0": "4s 5h 6d 7c Kd"}),
    Corner("a run of five", dealt={"0": "4s 5h 6d 7c 8d"}),
    Corner("a flush", dealt={"0": "2s 5s 8s Js Ks"}),
    Corner("four cards of one suit among five", dealt={"0": "2s 5s 8s Js Kh"}),
    Corner("four cards of one suit in a hand of four", Variant(hand_size=4), dealt={"0": "2s 5s 8s Js"}),
    Corner("a run that is a flush too", dealt={"0": "8s 9s Ts Js Qs"}),
)

HANDS = (
    Corner("an ace alone, so only declaring makes sense", dealt=FIVE_IN_A_ROW, drawn={0: "As"}, moves=[OUT, S]),
    Corner("a king alone", dealt=FIVE_IN_A_ROW, drawn={0: "Ks"}, moves=[OUT, S]),
    Corner("five open cards", dealt=FIVE_IN_A_ROW, moves=[OUT]),
    Corner("hands of one card", Variant(hand_size=1), seats=3),
    Corner("hands of ten cards", Variant(hand_size=10)),
)

DECKS = (
    Corner("two decks, the same card twice", Variant(decks=2), dealt={"0": "7s 7s 5c 5c 9d"}),
    Corner("two decks, five of one rank", Variant(decks=2), dealt={"0": "7s 7s 7h 7h 7d"}),
    Corner(
        "two decks, an open card that is also held",
        Variant(decks=2),
        dealt={"0": "7s 2c 4d 9h Kd", "table": "7s"},
    ),
    Corner("two decks, a flush with a card twice", Variant(decks=2), dealt={"0": "As As 5s 9s Ks"}),
    Corner("an empty closed deck above dead cards", seats=8, moves=[S] * 11),
    Corner("a closed deck that was refilled", seats=8, moves=[S] * 13),
    Corner("a closed deck that cannot be taken from", moves=LAP, without_deck=True),
)

POINTS = (
    Corner("points on the threshold", Variant(threshold=6), dealt=SIX_POINTS, drawn=DRAWN, moves=[*LAP, DECLARE]),
    Corner(
        "a point below the threshold that is out when reached",
        Variant(threshold=7, crossing=Crossing.REACH),
        dealt=SIX_POINTS,
        drawn=DRAWN,
        moves=[*LAP, DECLARE],
    ),
    Corner(
        "no threshold, the last deal",
        Variant(threshold=0, deal_cap=2),
        dealt=SIX_POINTS,
        drawn=DRAWN,
        moves=[*LAP, DECLARE],
    ),
    Corner("a tie does not hold, no penalty", Variant(tie_holds=False, penalty=0), moves=LAP),
    Corner("the first that is out ends it", Variant(finish=Finish.FIRST_OUT), seats=3, moves=[S] * 4),
    Corner("the last turn before a showdown", Variant(lap_cap=2), moves=[*LAP, S]),
    Corner("after a showdown", Variant(lap_cap=2), seats=3, moves=[S] * 6),
)

SEATS = (
    Corner("the seat before has just forfeited", seats=3, moves=[*[S] * 3, Chore.FORFEIT]),
    Corner("a seat that forfeited is out", seats=3, moves=[Chore.FORFEIT, *[S] * 5]),
    Corner(
        "half of the seats are out",
        Variant(threshold=20),
        seats=6,
        dealt=LOW,
        drawn=LOWER,
        moves=[*[S] * 6, DECLARE],
        seed=3,
    ),
    Corner("all but two are out", Variant(threshold=20), seats=6, dealt=LOW, drawn=LOWER, moves=[*[S] * 6, DECLARE]),
)


def _deals(count: int, seats: int) -> Iterator[Move]:
    """So many deals in each of which somebody declares after one lap."""
    for _ in range(count):
        yield from [S] * seats
        yield DECLARE


HISTORIES = (
    Corner(
        "the longest history, eight seats",
        Variant(threshold=0, deal_cap=100),
        seats=8,
        moves=[*_deals(20, seats=8), *[S] * 475],
    ),
    Corner(
        "the longest history, ten seats and two decks",
        Variant(decks=2, threshold=0, deal_cap=100),
        seats=10,
        moves=[*_deals(20, seats=10), *[S] * 595],
    ),
)

CORNERS = (*BEGINNING, *DISCARDS, *HANDS, *DECKS, *POINTS, *SEATS, *HISTORIES)

EVERY = 7
"""Of a match between ordinary players every so-many-th turn is asked."""


@cache
def fixed_turns() -> tuple[FixedTurn, ...]:
    """All fixed turns, the corners first; the same ones always, each of a table of its own."""
    return (*map(ask, CORNERS), *ordinary_turns(TURNS - len(CORNERS)))


def ordinary_turns(count: int) -> Iterator[FixedTurn]:
    """Turns of matches of three, as many as wanted, none of them the first of a match."""
    player = Greedy()
    made = match = 0
    while made < count:
        state = state_of(Corner("", seats=3, seed=match))
        while state.outcome is None and made < count:
            if state.turn % EVERY == EVERY - 1:
                name = f"ordinary turn {made}"
                yield FixedTurn(name, request(Corner(name, seats=3, seed=match), state))
                made += 1
            evolve(state, decide(state, player(observe(state, state.seat))))
        match += 1
