"""Deals the hidden cards again and again, as they may well lie, and sees which play comes out best on the mean.

All plays are tried in the same worlds. Everybody then goes on in the same simple way: throws and takes like `greedy`,
and declares with a good chance of holding the least.
"""

from dataclasses import replace

from arena.sdk import Action, Observation, serve
from arena.sdk.search import Confident, Style, chance_of, evaluate, greedy_style

WORLDS = 600
"""Shared by the players. A number and no time, so that a turn is answered alike on any machine."""
FEW_WORLDS = 150
SHARE = 0.25
"""Of the turn's limit: when the last turn took more, this machine is slow or busy, and fewer worlds must do."""
GOOD_CHANCE = Confident(0.8)


def choose(observation: Observation) -> Action:
    players = sum(not seat.out for seat in observation.seats)
    worlds = worlds_in_time(observation) // players
    everybody = goes_on(observation.variant.mixed_pairs)
    judged = evaluate(observation.view(), chance_of(observation), worlds, player=everybody, reading=False)
    return judged.estimates[0].action


def goes_on(mixed_pairs: bool) -> Style:
    return replace(greedy_style(mixed_pairs), declares=GOOD_CHANCE)


def worlds_in_time(observation: Observation) -> int:
    slow = observation.last_latency_us > SHARE * 1000 * observation.turn_limit_ms
    return FEW_WORLDS if slow else WORLDS


if __name__ == "__main__":
    serve(choose, name="sampler", version="1.0")
