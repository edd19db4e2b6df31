"""Matches of `choose` functions without processes: the rules and the real requests, but nothing in between."""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from types import ModuleType

from arena.game.actions import Action
from arena.game.chance import SeededChance, choice_seed
from arena.game.rules import decide, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.player import Question
from arena.sdk import Observation
from arena.settings import sample_bots
from arena.wire.codec import TableEncoder
from arena.wire.v1 import bot_pb2 as pb

Choose = Callable[[Observation], Action]


def measure(seats: int, seconds: float) -> Generator[dict[str, float]]:
    """Microseconds of a core a turn, with `greedy` in every seat; never is a seed played twice."""
    chooses = [load("greedy").choose] * seats
    turn_us(chooses, seconds)
    while True:
        yield {f"in process/{seats}": turn_us(chooses, seconds)}


def turn_us(chooses: Sequence[Choose], seconds: float) -> float:
    """Microseconds of a core a turn of whole matches."""
    turns, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        turns += play(chooses, os.urandom(32), Variant()).turn
    return (time.process_time() - began) / turns * 1e6


def load(name: str) -> ModuleType:
    """The `main.py` of a sample bot, imported but not served."""
    spec = importlib.util.spec_from_file_location(f"sample_bot_{name}", sample_bots() / name / "main.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play(chooses: Sequence[Choose], seed: bytes, variant: Variant) -> State:
    """The state at the end of a match in which seat s is `chooses[s]`."""
    state = new_match(variant, len(chooses), SeededChance(seed, variant.decks))
    encode = TableEncoder()
    while state.outcome is None:
        request = pb.TakeTurnRequest.FromString(encode(question(state, seed)))
        evolve(state, decide(state, chooses[state.seat](Observation(request))))
    return state


def questions(chooses: Sequence[Choose], seed: bytes, variant: Variant) -> Iterator[Question]:
    """All questions of such a match in order."""
    state = new_match(variant, len(chooses), SeededChance(seed, variant.decks))
    while state.outcome is None:
        asked = question(state, seed)
        yield asked
        request = pb.TakeTurnRequest.FromString(TableEncoder()(asked))
        evolve(state, decide(state, chooses[state.seat](Observation(request))))


def question(state: State, seed: bytes) -> Question:
    """What the seat to act is asked."""
    chance = choice_seed(seed, state.deal, state.seat, state.turn)
    return Question(state.seat, state.turn, 500, 10_000, 300, chance, observe(state, state.seat), ())
