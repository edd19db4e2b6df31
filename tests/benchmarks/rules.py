"""The rules alone: decisions a second of a core in random play at tables of four, in turns with another game.

That is Uno of RLCard (https://rlcard.org), once its game object alone, as the rules here, and once as it is used, with
an observation for each decision. It runs in an environment of its own, whose Python is named by `RLCARD_PYTHON`, and is
left out without one.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import time
from statistics import median
from typing import Any

from arena.game.actions import Action, Declare, Play
from arena.game.chance import SeededChance
from arena.game.discards import legal_discards
from arena.game.rules import decide, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant

SEATS = 4
ROUNDS = 7
SECONDS = 2.0
WARM_UP_S = 4.0

PROGRAMS = {
    "game": f"""
import random, time
from rlcard.games.uno import Game
rng, game, decisions = random.Random({{seed}}), Game(num_players={SEATS}), 0
began = time.process_time()
while time.process_time() - began < {SECONDS}:
    state, _ = game.init_game()
    while not game.is_over():
        state, _ = game.step(rng.choice(state["legal_actions"]))
        decisions += 1
print(decisions / (time.process_time() - began))
""",
    "environment": f"""
import time
import rlcard
from rlcard.agents import RandomAgent
world = rlcard.make("uno", config={{{{"game_num_players": {SEATS}, "seed": {{seed}}}}}})
world.set_agents([RandomAgent(num_actions=world.num_actions) for _ in range({SEATS})])
decisions, began = 0, time.process_time()
while time.process_time() - began < {SECONDS}:
    decisions += sum(len(seen) // 2 for seen in world.run(is_training=False)[0])
print(decisions / (time.process_time() - began))
""",
}
"""What plays Uno; each prints decisions a second."""


def run() -> dict[str, Any]:
    """Medians over interleaved rounds; never is a seed played twice."""
    play("warm-up", WARM_UP_S)
    python = os.environ.get("RLCARD_PYTHON")
    rounds = []
    for number in range(ROUNDS):
        others = {name: uno(python, program, number) for name, program in PROGRAMS.items()} if python else {}
        rounds.append({"rules": play(str(number), SECONDS)} | others)
    found: dict[str, Any] = {
        f"{name}, decisions a second of a core": round(median(one[name] for one in rounds)) for name in rounds[0]
    }
    for name in list(rounds[0])[1:]:
        found[f"rules, times Uno's {name}"] = round(median(one["rules"] / one[name] for one in rounds), 2)
    return found


def play(name: str, seconds: float) -> float:
    """Decisions a second of a core in random play."""
    rng, variant = random.Random(name), Variant()
    decisions = matches = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        seed = hashlib.sha256(f"rules/{name}/{matches}".encode()).digest()
        state = new_match(variant, SEATS, SeededChance(seed, variant.decks))
        while state.outcome is None:
            evolve(state, decide(state, choose(state, rng)))
            decisions += 1
        matches += 1
    return decisions / (time.process_time() - began)


def choose(state: State, rng: random.Random) -> Action:
    """One of all legal actions, each as likely as any other."""
    discards = legal_discards(state.hands[state.seat] or b"", state.variant)
    takes = [None, *state.open] if state.may_take_closed else [*state.open]
    place = int(rng.random() * (len(discards) * len(takes) + state.may_declare))
    if place == len(discards) * len(takes):
        return Declare()
    return Play(discards[place // len(takes)], takes[place % len(takes)])


def uno(python: str, program: str, seed: int) -> float:
    """Decisions a second of a core in Uno."""
    done = subprocess.run([python, "-c", program.format(seed=seed)], capture_output=True, text=True, check=True)
    return float(done.stdout)
