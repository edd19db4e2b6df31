"""Random play of games of other projects: `python other_games.py GAME SECONDS`, in an environment that has them.

`uno_step` is Uno of RLCard (https://rlcard.org) as its environment plays it: it lists the legal actions, makes an
observation and takes a step. `uno_game` is its game object alone, `uno_run` the environment's own loop, which keeps the
whole course. `hearts` and `gin_rummy` are those of OpenSpiel (https://openspiel.readthedocs.io), in C++, with cards
dealt as its examples deal them. Dealing is part of the time and no decision.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Generator, Iterable
from typing import Any, TextIO

SEATS = 4

Play = Callable[[random.Random], int]
"""Plays one game and returns how many decisions it had."""


def answer(figures: Iterable[dict[str, float]], asked: TextIO, answers: TextIO) -> None:
    """Write the next figures, a JSON object a line, for each line that is read."""
    for _, found in zip(asked, figures, strict=False):
        answers.write(json.dumps(found) + "\n")
        answers.flush()


def measure(name: str, seconds: float) -> Generator[dict[str, float]]:
    """Decisions a second of a core, again and again; what is played first only warms up."""
    play, rng = GAMES[name](), random.Random(name)  # noqa: S311  nobody has to be unable to guess it
    rate(play, rng, seconds)
    while True:
        yield {name: rate(play, rng, seconds)}


def rate(play: Play, rng: random.Random, seconds: float) -> float:
    """Decisions a second of a core."""
    decisions, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        decisions += play(rng)
    return decisions / (time.process_time() - began)


def uno_game() -> Play:
    """The game object: its legal actions and its step."""
    from rlcard.games.uno import Game

    game = Game(num_players=SEATS)

    def play(rng: random.Random) -> int:
        decisions, (state, _) = 0, game.init_game()
        while not game.is_over():
            state, _ = game.step(rng.choice(state["legal_actions"]))
            decisions += 1
        return decisions

    return play


def uno_step() -> Play:
    """The environment, step by step, with the names of actions, which is quicker there than their numbers."""
    world = _uno()

    def play(rng: random.Random) -> int:
        decisions, (state, _) = 0, world.reset()
        while not world.is_over():
            state, _ = world.step(rng.choice(state["raw_legal_actions"]), True)
            decisions += 1
        return decisions

    return play


def uno_run() -> Play:
    """The environment with agents of its own."""
    from rlcard.agents import RandomAgent

    world = _uno()
    world.set_agents([RandomAgent(num_actions=world.num_actions) for _ in range(SEATS)])

    def play(_: random.Random) -> int:
        return sum(len(course) // 2 for course in world.run(is_training=False)[0])

    return play


def _uno() -> Any:
    import rlcard

    return rlcard.make("uno", config={"game_num_players": SEATS, "seed": 1})


def hearts() -> Play:
    """Hearts of OpenSpiel."""
    return _spiel("hearts")


def gin_rummy() -> Play:
    """Gin Rummy of OpenSpiel."""
    return _spiel("gin_rummy")


def _spiel(name: str) -> Play:
    import pyspiel

    game = pyspiel.load_game(name)

    def play(rng: random.Random) -> int:
        decisions, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():  # a card is dealt
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


GAMES: dict[str, Callable[[], Play]] = {
    made.__name__: made for made in (uno_step, uno_game, uno_run, hearts, gin_rummy)
}

if __name__ == "__main__":
    answer(measure(sys.argv[1], float(sys.argv[2])), sys.stdin, sys.stdout)
