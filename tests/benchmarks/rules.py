"""The rules alone: decisions a second of a core in random play at tables of four, in turns with a yardstick of another game.

The yardstick is Uno of RLCard (https://rlcard.org), played by its game object alone, without observations; it runs in
an environment of its own, whose Python is named by `RLCARD_PYTHON`, and is left out without one.
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

UNO = f"""
import random, time
from rlcard.games.uno import Game
rng, game, decisions = random.Random({{seed}}), Game(num_players={SEATS}), 0
began = time.process_time()
while time.process_time() - began < {SECONDS}:
    game.init_game()
    while not game.is_over():
        game.step(rng.choice(game.get_legal_actions()))
        decisions += 1
print(decisions / (time.process_time() - began))
"""


def run() -> dict[str, Any]:
    """Medians over interleaved rounds; never is a seed played twice."""
    play("warm-up", WARM_UP_S)
    python = os.environ.get("RLCARD_PYTHON")
    own, yardstick, ratios = [], [], []
    for number in range(ROUNDS):
        own.append(play(str(number), SECONDS))
        if python:
            yardstick.append(uno(python, number))
            ratios.append(own[-1] / yardstick[-1])
    return {
        "decisions a second of a core": round(median(own)),
        "RLCard's Uno in the same run": round(median(yardstick)) if python else "not there: set RLCARD_PYTHON",
        "times RLCard's Uno": round(median(ratios), 2) if python else None,
    }


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


def uno(python: str, seed: int) -> float:
    """The same of Uno."""
    program = UNO.format(seed=seed)
    return float(subprocess.run([python, "-c", program], capture_output=True, text=True, check=True).stdout)
