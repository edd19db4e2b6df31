"""Deals the hidden cards again and again, as they may well lie, and sees which play comes out best on the mean.

All plays are tried in the same worlds. Everybody goes on in the same simple way, with a cost for each hand and a chance
of holding the least with which one declares.
"""

from arena.sdk import Action, Observation, serve
from arena.sdk.search import chance_of, evaluate, paced_style

WORLDS = 1600
"""Shared by the players. A number and no time, so that a turn is answered alike on any machine."""
FEW_WORLDS = 400
PLAYS = 6
"""Only so many of the plays that look best are tried."""
SHARE = 0.25
"""Of the turn's limit: when the last turn took more, this machine is slow or busy, and fewer worlds must do."""


def choose(observation: Observation) -> Action:
    players = sum(not seat.out for seat in observation.seats)
    style = paced_style(observation.variant.mixed_pairs, players)
    worlds = worlds_in_time(observation) // players
    judged = evaluate(observation.view(), chance_of(observation), worlds, most=PLAYS, player=style, reading=False)
    return judged.estimates[0].action


def worlds_in_time(observation: Observation) -> int:
    slow = observation.last_latency_us > SHARE * 1000 * observation.turn_limit_ms
    return FEW_WORLDS if slow else WORLDS


if __name__ == "__main__":
    serve(choose, name="sampler", version="1.0")
