"""Plays deals out as `sampler` does, with the match in mind, and with players who have learned by trying how to play
and declare by what they see of the others. Half of its judgement is what they have learned alone.

What the others threw and took last tells of their hands: worlds in which that makes no sense are drawn less often.
"""

import sys
from collections import Counter

import numpy as np

from arena.sdk import Action, Conclusion, Observation, Play, serve
from arena.sdk.search import (
    MOST_CARDS,
    Estimate,
    Objective,
    chance_of,
    evaluate,
    foreseen,
    share_of_match,
    to_be_ahead,
)

WORLDS = 1600
"""Shared by the players. A number and no time, so that a turn is answered alike on any machine."""
FEW_WORLDS = 400
PLAYS = 6
"""Only so many of the plays that look best are tried."""
SHARE = 0.25
"""Of the turn's limit: when the last turn took more, this machine is slow or busy, and fewer worlds must do."""
LEARNED = 0.5
"""How much of the judgement of a play is what was learned; the rest is how it is played out."""

places: Counter[int] = Counter()


def choose(observation: Observation) -> Action:
    slow = observation.last_latency_us > SHARE * 1000 * observation.turn_limit_ms
    players = sum(not seat.out for seat in observation.seats)
    worlds = (FEW_WORLDS if slow else WORLDS) // players
    aim = objective(observation)
    found = evaluate(observation.view(), chance_of(observation), worlds, most=PLAYS, objective=aim).estimates
    if max(seat.cards for seat in observation.seats) > MOST_CARDS:
        return found[0].action
    return judged(observation, aim, players, found)


def judged(observation: Observation, aim: Objective, players: int, found: tuple[Estimate, ...]) -> Action:
    """The best action when what was learned counts, too: in points, so a point is taken to weigh as it does now."""
    plays = [one.action for one in found if isinstance(one.action, Play)]
    nothing, a_point = aim(np.eye(2, players, k=-1, dtype=np.intp)).tolist()
    learned = dict(zip(plays, nothing + (a_point - nothing) * foreseen(observation.view(), plays), strict=True))

    def cost(one: Estimate) -> float:
        if not isinstance(one.action, Play):
            return one.score
        return (1 - LEARNED) * one.score + LEARNED * float(learned[one.action])

    return min(found, key=cost).action


def objective(observation: Observation) -> Objective:
    """Points where nobody can be knocked out, else the share of the match that the points leave."""
    return share_of_match(observation.view()) if observation.variant.threshold else to_be_ahead


def conclude(conclusion: Conclusion) -> None:
    """Keep count of the places for whoever reads what this bot prints."""
    places[conclusion.places[conclusion.seat]] += 1
    sys.stderr.write(f"places so far: {dict(sorted(places.items()))}\n")


if __name__ == "__main__":
    serve(choose, name="champion", version="1.0", on_conclude=conclude)
