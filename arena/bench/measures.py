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
"""Microseconds a turn of a whole tournament, by seats and workers, on two cores. One worker has both of them; two are
pinned, and so is the one that they must be 1.8 times as fast as."""

ARENA_GOALS = {2: 18, 4: 22}
"""Microseconds of a core a turn that the arena may take, by seats."""

GAIN = 1.8
"""Two pinned workers are to be so many times as fast as one, where two cores are twice as quick as one."""

SHARE_OF_CORES = GAIN / 2
"""They often are not (two threads of one core, a clock that falls, neighbours), and so this is what is left of what two
programs get that share nothing."""

OLD_ENGINE = {"GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener"}
"""What makes a version of gRPC that still knows it work with the threads that it had before."""

OLD = ", old engine"
COMPILED = ", compiled"
"""Behind the names of figures that were measured so."""


class Goal(NamedTuple):
    """At most a figure, or at least."""

    figure: float
    at_least: bool = False

    def holds(self, found: float) -> bool:
        """Whether this is reached."""
        return found >= self.figure if self.at_least else found <= self.figure


class Against(NamedTuple):
    """A yardstick by its name, what it is called beside the measure, and the goal for the ratio to it."""

    yardstick: str
    called: str
    goal: Goal | None = None


class Measure(NamedTuple):
    """A figure by its name in the results; one without goal and yardsticks stands there for itself."""

    name: str
    what: str
    goal: Goal | None = None
    against: tuple[Against, ...] = ()


class Source(NamedTuple):
    """A measuring program: its title with the unit of its figures, its arguments before the seconds, its measures.

    `other` tells that it needs games of other projects, `compiled` that it is the compiled arena. `environment` goes to
    it; `suffix` behind the names of its figures. It is asked in every round, or `once`.
    """

    title: str
    arguments: tuple[str, ...]
    measures: tuple[Measure, ...]
    other: bool = False
    compiled: bool = False
    environment: Mapping[str, str] = {}
    suffix: str = ""
    once: bool = False

    def command(self, seconds: float, python: Path | None) -> list[str]:
        """How it is started; `python` is of the environment that has the other games."""
        if self.other:
            return [str(python), str(Path(other_games.__file__)), *self.arguments, str(seconds)]
        own = str(compiled_arena()) if self.compiled else sys.executable
        return [own, *["-P"] * self.compiled, "-m", "arena.bench.program", *self.arguments, str(seconds)]


def compiled_arena() -> Path | None:
    """The Python of the environment that has the compiled arena, inside that of the arena; None without one."""
    python = Path(sys.prefix) / "compiled" / "bin" / "python"
    return python if python.exists() else None


def parts(cores: int) -> dict[str, list[Source]]:
    """The sources by the part of the measurements to which they belong, for a machine with so many cores."""
    workers = [(1, False), *((number, True) for number in sorted({1, 2, cores}) if cores > 1)]
    return {
        "rules": [_rules()],
        "turn": [_turn(seats, cores) for seats in SEATS],
        "tournament": [_tournament(seats, *kind) for seats in SEATS for kind in workers],
        "engine": [_old(one) for one in (_ping(2, cores), _turn(2, cores), _tournament(2, 1, pinned=False))],
        "compiled": [
            _compiled(_rules()),
            *(_compiled(_tournament(seats, *kind)) for seats in SEATS for kind in workers),
        ],
        "memory": [_memory()],
    }


def needed(chosen: Sequence[Source], cores: int) -> list[Source]:
    """The chosen sources, and before them those of the yardsticks that stand beside them, each once."""
    wanted = {against.yardstick for source in chosen for measure in source.measures for against in measure.against}
    more = [
        source
        for source in _yardsticks(cores)
        if source not in chosen and any(measure.name in wanted for measure in source.measures)
    ]
    return [*more, *chosen]


def gains(found: Mapping[str, float]) -> dict[str, float]:
    """How many times as fast two pinned workers were as one in the same round, where both were measured."""
    return {
        f"gain/{seats}{suffix}": found[f"wall/{seats}/1 pinned{suffix}"] / found[f"wall/{seats}/2 pinned{suffix}"]
        for seats in SEATS
        for suffix in ("", COMPILED)
        if {f"wall/{seats}/1 pinned{suffix}", f"wall/{seats}/2 pinned{suffix}"} <= found.keys()
    }


GAMES = {
    "uno_step": "RLCard's Uno, stepped",
    "uno_game": "RLCard's Uno, game alone",
    "uno_run": "RLCard's Uno, own loop",
    "hearts": "OpenSpiel's Hearts",
    "gin_rummy": "OpenSpiel's Gin Rummy",
}


def _yardsticks(cores: int) -> list[Source]:
    return [
        *(_game(name, what) for name, what in GAMES.items()),
        *(_ping(seats, cores) for seats in SEATS),
        *(_in_process(seats) for seats in SEATS),
        *(_cores(seats) for seats in SEATS if cores > 1),
        *(source for name in ("rules", "turn", "tournament") for source in parts(cores)[name]),
    ]


def _rules() -> Source:
    steps = Against("uno_step", GAMES["uno_step"], Goal(2.4, at_least=True))
    others = [Against(name, GAMES[name]) for name in ("uno_game", "hearts", "gin_rummy")]
    seen = [Against(name, GAMES[name]) for name in ("uno_step", "uno_run")]
    return Source(
        "Random play at 4 seats, decisions a second of a core",
        ("rules",),
        (
            Measure("rules", "the rules alone", Goal(150_000, at_least=True), (steps, *others)),
            Measure("rules observed", "with all that the seat may know", None, tuple(seen)),
        ),
    )


def _game(name: str, what: str) -> Source:
    return Source(what, (name,), (Measure(name, "random play"),), other=True)


def _ping(seats: int, cores: int) -> Source:
    alone = Measure(f"ping/{seats}", "one in flight")
    many = Measure(f"pings in flight/{seats}", f"{cores} in flight")
    return Source(f"Pings going round {seats} programs, µs", ("ping", str(seats)), (alone, many))


def _in_process(seats: int) -> Source:
    measure = Measure(f"in process/{seats}", "a turn with its request")
    return Source(f"Matches in process, tables of {seats}, µs of a core", ("in process", str(seats)), (measure,))


def _cores(seats: int) -> Source:
    measure = Measure(f"cores/{seats}", "times as many turns as one")
    return Source(f"Two programs in process that share nothing, tables of {seats}", ("cores", str(seats)), (measure,))


def _turn(seats: int, cores: int) -> Source:
    ping = Against(f"ping/{seats}", "a ping", Goal(1.2))
    flight = Against(f"pings in flight/{seats}", f"a ping, {cores} in flight")
    least = Against(f"question/{seats}", "the same without an arena")
    bare = Measure(f"question/{seats}", "without an arena: gRPC puts the questions", None, (ping._replace(goal=None),))
    alone = Measure(f"turn/{seats}", "one table alone", None, (ping, least))
    many = Measure(f"turns/{seats}", "many tables", None, (ping, flight, least))
    return Source(f"One turn a call, tables of {seats}, µs a turn", ("turn", str(seats)), (bare, alone, many))


def _tournament(seats: int, workers: int, pinned: bool) -> Source:
    ending = f"{seats}/{workers}{' pinned' * pinned}"
    who = f"{workers}{' pinned' * pinned} worker{'s' * (workers > 1)}"
    goal = WALL_GOALS.get((seats, workers)) if pinned == (workers > 1) else None
    apart = Against(f"cores/{seats}", "two programs that share nothing", Goal(SHARE_OF_CORES, at_least=True))
    gain = Measure(f"gain/{seats}", "times as fast as 1 pinned worker", Goal(GAIN, at_least=True), (apart,))
    return Source(
        f"Whole tournaments, tables of {seats}, {who}, µs a turn",
        ("tournament", str(seats), str(workers), str(int(pinned))),
        (
            _costly(f"wall/{ending}", "time", goal),
            Measure(f"whole/{ending}", "time with the start of all processes"),
            _costly(f"arena/{ending}", "the arena, of a core", ARENA_GOALS[seats]),
            Measure(f"coordinator/{ending}", "of that the coordinator and the store"),
            Measure(f"bots/{ending}", "the bots, of a core"),
            *([gain] if workers == 2 else []),
        ),
    )


def _costly(name: str, what: str, most_us: float | None) -> Measure:
    """With a goal in microseconds, and so one for the ratio to a ping."""
    seats = name.split("/")[1]
    ping = Against(f"ping/{seats}", "a ping", None if most_us is None else Goal(round(most_us / PING_US, 3)))
    process = Against(f"in process/{seats}", "a turn in process")
    return Measure(name, what, None if most_us is None else Goal(most_us), (ping, process))


def _old(source: Source) -> Source:
    """The same with gRPC's old engine in the arena and in the bots, beside itself without."""
    measures = tuple(
        Measure(one.name + OLD, one.what, None, (Against(one.name, "as it is"),))
        for one in source.measures
        if not one.name.startswith(("whole", "coordinator"))
    )
    title = f"gRPC's old engine. {source.title}"
    return source._replace(title=title, measures=measures, environment=OLD_ENGINE, suffix=OLD)


def _compiled(source: Source) -> Source:
    """The same of the compiled arena, with the same goals, and beside itself as it is."""
    measures = tuple(
        one._replace(name=one.name + COMPILED, against=(*one.against, Against(one.name, "as it is")))
        for one in source.measures
    )
    own = {"PYTHONPATH": ""}  # else it would find the arena that is not compiled, and so would its workers
    return source._replace(
        title=f"Compiled. {source.title}", measures=measures, compiled=True, environment=own, suffix=COMPILED
    )


def _memory() -> Source:
    measures: list[Measure] = []
    for part, doing in (("opening", "opening it"), ("playing", "playing on in it")):
        small = f"{part}/small"
        measures += (
            Measure(f"{part}/large", doing, Goal(150), (Against(small, "a plan of 7,280 matches"),)),
            Measure(small, f"{doing}, 7,280 matches"),
        )
    return Source("The coordinator, a plan of 1,004,640 matches, MB at most", ("memory",), tuple(measures), once=True)
