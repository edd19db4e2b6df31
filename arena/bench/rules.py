"""The rules alone: decisions a second of a core in random play at tables of four."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Generator

from arena.game.actions import Action, Declare, Play
from arena.game.chance import SeededChance
from arena.game.discards import legal_discards
from arena.game.rules import decide, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe

SEATS = 4


def measure(seconds: float) -> Generator[dict[str, float]]:
    """Alone, and with all that the seat may know made for each decision; never is a seed played twice."""
    rng = random.Random("rules")  # noqa: S311  nobody has to be unable to guess it
    rate(rng, 2 * seconds, observed=False)
    while True:
        alone = rate(rng, seconds, observed=False)
        yield {"rules": alone, "rules observed": rate(rng, seconds, observed=True)}


def rate(rng: random.Random, seconds: float, *, observed: bool) -> float:
    """Decisions a second of a core."""
    variant = Variant()
    decisions, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        state = new_match(variant, SEATS, SeededChance(os.urandom(32), variant.decks))
        while state.outcome is None:
            if observed:
                observe(state, state.seat)
            evolve(state, decide(state, choose(state, rng)))
            decisions += 1
    return decisions / (time.process_time() - began)


def choose(state: State, rng: random.Random) -> Action:
    """One of all legal actions, each as likely as any other."""
    discards = legal_discards(state.hands[state.seat] or b"", state.variant)
    takes = [None, *state.open] if state.may_take_closed else [*state.open]
    place = int(rng.random() * (len(discards) * len(takes) + state.may_declare))
    if place == len(discards) * len(takes):
        return Declare()
    return Play(discards[place // len(takes)], takes[place % len(takes)])
