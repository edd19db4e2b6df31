"""Matches of random legal play, as material for the wire: the states, and the question that each puts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from arena.game.chance import SeededChance, choice_seed
from arena.game.rules import decide, decide_forfeit, evolve, legal_actions, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.player import Question


def walk(seed: int, seats: int, variant: Variant, forfeits: float = 0.0) -> Iterator[State]:
    """The states of a random match before each of its turns: one object, changed in place."""
    chance = Random(seed)
    state = new_match(variant, seats, SeededChance(chance.randbytes(32), variant.decks))
    while state.outcome is None:
        yield state
        if chance.random() < forfeits:
            evolve(state, decide_forfeit(state))
        else:
            evolve(state, decide(state, chance.choice(list(legal_actions(state)))))


def ask(state: State, bots: tuple[str, ...] = ()) -> Question:
    """The question that a state puts to the seat to act."""
    return Question(
        table=2**63 + 977 * state.seat,
        turn=state.turn,
        turn_limit_ms=500,
        bank_ms=10_000 - state.turn,
        last_latency_us=31 * state.turn,
        choice_seed=choice_seed(bytes(32), state.deal, state.seat, state.turn),
        observation=observe(state, state.seat),
        bots=bots,
    )
