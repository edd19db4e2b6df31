"""Deals the hidden cards again and again, as they may well lie, and sees which play comes out best on the mean.

All plays are tried in the same worlds. Everybody goes on as `greedy` does, but declares when that will probably hold.
"""

from dataclasses import replace

from arena.sdk import Action, Observation, serve
from arena.sdk.search import Confident, chance_of, evaluate, greedy_style

WORLDS = 800
"""Shared by the players. A number and no time, so that a turn is answered alike on any machine."""
FEW_WORLDS = 200
PLAYS = 6
"""Only so many of the plays that look best are tried."""
CONFIDENCE = 0.8
"""How sure players are in the playouts when they declare."""
SHARE = 0.2
"""Of the turn's limit: when the last turn took more, this machine is slow or busy, and fewer worlds must do."""


def choose(observation: Observation) -> Action:
    style = replace(greedy_style(observation.variant.mixed_pairs), declares=Confident(CONFIDENCE))
    judged = evaluate(
        observation.view(), chance_of(observation), worlds(observation), most=PLAYS, style=style, reading=False
    )
    return judged.estimates[0].action


def worlds(observation: Observation) -> int:
    slow = observation.last_latency_us > SHARE * 1000 * observation.turn_limit_ms
    players = sum(not seat.out for seat in observation.seats)
    return (FEW_WORLDS if slow else WORLDS) // players


if __name__ == "__main__":
    serve(choose, name="sampler", version="1.0")
