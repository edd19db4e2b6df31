"""Matches of `choose` functions without processes: the rules and the real requests, but nothing in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from arena.game.actions import Action
from arena.game.chance import SeededChance, choice_seed
from arena.game.rules import decide, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.player import Question
from arena.sdk import Observation
from arena.wire.codec import TableEncoder
from arena.wire.v1 import bot_pb2 as pb

Choose = Callable[[Observation], Action]


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
