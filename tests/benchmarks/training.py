"""What training gets out of a core: matches of `greedy` with itself by `play_matches`, and steps of the environment in
random play; beside random play of the rules alone in the same rounds."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from arena.analysis.policies import Greedy
from arena.analysis.selfplay import match_seeds, play_matches
from arena.bench.rules import rate
from arena.env import least_score_v0
from arena.game.variant import Variant

ROUNDS = 5
SECONDS = 2.0
BATCH = 50
"""So many matches are played between two looks at the clock."""

ONE_DEAL = Variant(threshold=0, deal_cap=1)


def run() -> dict[str, Any]:
    """Medians over interleaved rounds, all a second of a core; never is a seed played twice."""
    rng = random.Random("training")
    rate(rng, 2 * SECONDS, observed=False)
    rounds = []
    for number in range(ROUNDS):
        found = {"decisions of the rules alone": rate(rng, SECONDS, observed=False)}
        for seats in (2, 4):
            found |= matches(f"single deals, tables of {seats}", seats, ONE_DEAL, number)
            found |= matches(f"whole matches, tables of {seats}", seats, Variant(), number)
        found["steps of the environment, tables of 4"] = steps(number)
        rounds.append(found)
    return {name: round(median(one[name] for one in rounds)) for name in rounds[0]}


def matches(name: str, seats: int, variant: Variant, number: int) -> dict[str, float]:
    """Matches and decisions."""
    turns: list[int] = []

    def play(batch: int) -> int:
        seeds = match_seeds(f"{name}/{number}/{batch}", BATCH)
        turns.append(int(play_matches([Greedy()] * seats, variant, seeds).turns.sum()))
        return BATCH

    found = a_second(play)
    return {name: found, f"decisions in {name}": found * sum(turns) / (BATCH * len(turns))}


def steps(number: int) -> float:
    """Steps of the environment with its wrappers: observe, draw a legal action, act."""
    env = least_score_v0.env(4)

    def play(batch: int) -> int:
        env.reset(seed=1000 * number + batch)
        done = 0
        for agent in env.agent_iter():
            seen, _, termination, _, _ = env.last()
            env.step(None if termination else env.action_space(agent).sample(seen["action_mask"]))
            done += 1
        return done

    return a_second(play)


def a_second(play: Callable[[int], int]) -> float:
    """How many a second of a core, played batch after batch."""
    done = batch = 0
    began = time.process_time()
    while (took := time.process_time() - began) < SECONDS:
        done += play(batch)
        batch += 1
    return done / took
