"""What is measured, which goals it has, and which yardsticks of the same run stand beside it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.bench import other_games

SEATS = (2, 4)

PING_US = 525
"""A ping where the goals in microseconds were set: 400 to 650 on two cores. With it they become goals for the ratio to
a ping of the same run, which hold on a quicker or busier machine too."""

WALL_GOALS = {(2, 1): 30, (4, 1): 40, (2, 2): 22, (4, 2): 30}
"""Microseconds a turn of a whole tournament, by seats and workers, on two cores."""

ARENA_GOALS = {2: 18, 4: 22}
"""Microseconds of a core a turn that the arena may take, by seats."""

NO_EVENT_ENGINE = "-event_engine_client,-event_engine_listener"
"""What makes a version of gRPC that knows it work with the threads that it had before."""

OLD = ", old engine"
"""Behind the names of figures that were measured so."""


class Goal(NamedTuple):
    """At most a figure, or at least."""

    figure: float
    at_least: bool = False

    def holds(self, found: float) -> bool:
        """Whether this is reached."""
        return found >= self.figure if self.at_least else found <= self.figure


class Against(NamedTuple):
    """A yardstick by its name, and the goal for the ratio to it."""

    yardstick: str
    goal: Goal | None = None


class Measure(NamedTuple):
    """A figure by its name in the results; a plain one has no goal and stands there as a yardstick or for itself."""

    name: str
    what: str
    unit: str
    goal: Goal | None = None
    against: tuple[Against, ...] = ()


class Source(NamedTuple):
    """A measuring program, the measures that it has figures for, and its arguments before the seconds.

    `other` tells that it needs games of other projects. `environment` goes to it; `suffix` behind the names of its
    figures. It is asked in every round, or `once`.
    """

    arguments: tuple[str, ...]
    measures: tuple[Measure, ...]
    other: bool = False
    environment: Mapping[str, str] = {}
    suffix: str = ""
    once: bool = False

    def command(self, seconds: float, python: Path | None) -> list[str]:
        """How it is started; `python` is of the environment that has the other games."""
        if self.other:
            return [str(python), str(Path(other_games.__file__)), *self.arguments, str(seconds)]
        return [sys.executable, "-m", "arena.bench.program", *self.arguments, str(seconds)]


def parts(cores: int) -> dict[str, list[Source]]:
    """The sources by the part of the measurements to which they belong, for a machine with so many cores."""
    workers = sorted({1, 2, cores} if cores > 1 else {1})
    return {
        "rules": [_rules()],
        "turn": [_turn(seats) for seats in SEATS],
        "tournament": [_tournament(seats, number) for number in workers for seats in SEATS],
        "engine": [_old(one) for one in (_ping(2, cores), _turn(2), _tournament(2, 1))],
        "memory": [_memory()],
    }


def yardsticks(cores: int) -> list[Source]:
    """The sources of what stands beside the measures; those that a measure asks for are measured with it."""
    return [
        *(_game(name, what) for name, what in GAMES.items()),
        *(_ping(seats, cores) for seats in SEATS),
        *(_in_process(seats) for seats in SEATS),
        *(source for name in ("turn", "tournament") for source in parts(cores)[name]),
    ]


GAMES = {
    "uno_step": "Uno of RLCard, its environment step by step",
    "uno_game": "Uno of RLCard, its game object alone",
    "uno_run": "Uno of RLCard, its environment's own loop",
    "hearts": "Hearts of OpenSpiel (C++)",
    "gin_rummy": "Gin Rummy of OpenSpiel (C++)",
}


def gains(found: Mapping[str, float]) -> dict[str, float]:
    """How many times as fast two workers were as one in the same round, where both were measured."""
    return {
        f"gain/{seats}": found[f"wall/{seats}/1"] / found[f"wall/{seats}/2"]
        for seats in SEATS
        if f"wall/{seats}/1" in found and f"wall/{seats}/2" in found
    }


def _rules() -> Source:
    games = [Against(name) for name in GAMES if name != "uno_step"]
    rules = Measure(
        "rules",
        "random play, 4 seats",
        "decisions/s",
        Goal(150_000, at_least=True),
        (Against("uno_step", Goal(2.4, at_least=True)), *games),
    )
    observed = Measure(
        "rules observed",
        "random play, 4 seats, with all that the seat may know",
        "decisions/s",
        None,
        (Against("uno_step"), Against("uno_run")),
    )
    return Source(("rules",), (rules, observed))


def _game(name: str, what: str) -> Source:
    return Source((name,), (Measure(name, f"{what}, random play", "decisions/s"),), other=True)


def _ping(seats: int, cores: int) -> Source:
    alone = Measure(f"ping/{seats}", f"a ping, going round {seats} programs", "µs")
    many = Measure(f"pings in flight/{seats}", f"a ping, {cores} in flight to {seats} programs", "µs")
    return Source(("ping", str(seats)), (alone, many))


def _in_process(seats: int) -> Source:
    measure = Measure(f"in process/{seats}", f"a turn in process with its request, tables of {seats}", "µs of a core")
    return Source(("in process", str(seats)), (measure,))


def _turn(seats: int) -> Source:
    ping = Against(f"ping/{seats}", Goal(1.2))
    alone = Measure(f"turn/{seats}", f"a turn a call, one table of {seats} alone", "µs", None, (ping,))
    flight = Against(f"pings in flight/{seats}")
    many = Measure(f"turns/{seats}", f"a turn a call, many tables of {seats}", "µs", None, (ping, flight))
    return Source(("turn", str(seats)), (alone, many))


def _tournament(seats: int, workers: int) -> Source:
    who = f"{workers} worker{'s' * (workers > 1)}, tables of {seats}"
    ending = f"{seats}/{workers}"
    process = Against(f"in process/{seats}")
    gain = Measure(f"gain/{seats}", f"2 workers against 1, tables of {seats}", "times", Goal(1.8, at_least=True))
    return Source(
        ("tournament", str(seats), str(workers)),
        (
            _costly(f"wall/{ending}", f"a turn, {who}", "µs", WALL_GOALS.get((seats, workers)), process),
            Measure(f"whole/{ending}", f"a turn with the start of all processes, {who}", "µs"),
            _costly(f"arena/{ending}", f"the arena a turn, {who}", "µs of a core", ARENA_GOALS[seats], process),
            Measure(f"coordinator/{ending}", f"of it the coordinator and the store, {who}", "µs of a core"),
            Measure(f"bots/{ending}", f"the bots a turn, {who}", "µs of a core"),
            *([gain] if workers == 2 else []),
        ),
    )


def _costly(name: str, what: str, unit: str, most_us: float | None, process: Against) -> Measure:
    """With a goal in microseconds, and so one for the ratio to a ping."""
    seats = name.split("/")[1]
    ping = Against(f"ping/{seats}", None if most_us is None else Goal(round(most_us / PING_US, 3)))
    return Measure(name, what, unit, None if most_us is None else Goal(most_us), (ping, process))


def _old(source: Source) -> Source:
    """The same with gRPC's engine of before, in the arena and in the bots, beside itself without."""
    measures = tuple(
        one._replace(
            name=one.name + OLD, what=one.what + ", gRPC's old engine", goal=None, against=(Against(one.name),)
        )
        for one in source.measures
    )
    return source._replace(measures=measures, environment={"GRPC_EXPERIMENTS": NO_EVENT_ENGINE}, suffix=OLD)


def _memory() -> Source:
    measures: list[Measure] = []
    for part, doing in (("opening", "opening"), ("playing", "playing on in")):
        small = Against(f"{part}/small")
        measures += (
            Measure(f"{part}/large", f"{doing} a plan of 1,004,640 matches", "MB", Goal(150), (small,)),
            Measure(f"{part}/small", f"{doing} a plan of 7,280 matches", "MB"),
        )
    return Source(("memory",), tuple(measures), once=True)


def needed(chosen: Sequence[Source], cores: int) -> list[Source]:
    """The chosen sources, and those of the yardsticks that stand beside them, each once."""
    wanted = {against.yardstick for source in chosen for measure in source.measures for against in measure.against}
    there = [source.arguments for source in chosen if not source.suffix]
    more = [
        source
        for source in yardsticks(cores)
        if source.arguments not in there and any(measure.name in wanted for measure in source.measures)
    ]
    return [*more, *chosen]
