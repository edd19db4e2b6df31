"""Plays deals out as `sampler` does, with players who think further ahead, in more worlds, and with the match in mind.

What the others threw and took last tells of their hands: worlds in which that makes no sense are drawn less often.
"""

import sys
from collections import Counter

from arena.sdk import Action, Conclusion, Observation, serve
from arena.sdk.search import Objective, against_others, chance_of, evaluate, share_of_match

WORLDS = 2000
"""Shared by the players. A number and no time, so that a turn is answered alike on any machine."""
FEW_WORLDS = 400
PLAYS = 6
"""Only so many of the plays that look best are tried."""
SHARE = 0.15
"""Of the turn's limit: when the last turn took more, this machine is slow or busy, and fewer worlds must do."""

places: Counter[int] = Counter()


def choose(observation: Observation) -> Action:
    slow = observation.last_latency_us > SHARE * 1000 * observation.turn_limit_ms
    players = sum(not seat.out for seat in observation.seats)
    worlds = (FEW_WORLDS if slow else WORLDS) // players
    judged = evaluate(
        observation.view(), chance_of(observation), worlds, most=PLAYS, reading=True, objective=objective(observation)
    )
    return judged.estimates[0].action


def objective(observation: Observation) -> Objective:
    """Points where nobody can be knocked out, else the share of the match that the points leave."""
    return share_of_match(observation.view()) if observation.variant.threshold else against_others


def conclude(conclusion: Conclusion) -> None:
    """Keep count of the places for whoever reads what this bot prints."""
    places[conclusion.places[conclusion.seat]] += 1
    sys.stderr.write(f"places so far: {dict(sorted(places.items()))}\n")


if __name__ == "__main__":
    serve(choose, name="champion", version="1.0", on_conclude=conclude)
