"""All measures beside their yardsticks: rounds go through all in turn, so that what disturbs one disturbs all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

from arena.bench.measures import Goal, Measure, Source, gains, needed, parts
from arena.bench.running import Program
from arena.fleet.setups import usable_cores


class Spread(NamedTuple):
    """The median and the quartiles of a figure over the rounds."""

    low: float
    median: float
    high: float


class Ratio(NamedTuple):
    """How many times as large as a yardstick a figure was in the same round; `holds` is None without a goal."""

    yardstick: Measure
    measured: Spread
    ratio: Spread
    goal: Goal | None
    holds: bool | None


class Finding(NamedTuple):
    """What came of a measure, with its yardsticks; `holds` is None without a goal."""

    measure: Measure
    found: Spread
    holds: bool | None
    ratios: tuple[Ratio, ...]


class Report(NamedTuple):
    """What came of a run; `missing` are the yardsticks for which something is not installed."""

    findings: tuple[Finding, ...]
    missing: tuple[Measure, ...]
    rounds: int
    seconds: float


Tell = Callable[[int, str], None]
"""Is told the round (from 1) and what is measured now."""


def run(names: Sequence[str], rounds: int, seconds: float, python: Path | None, tell: Tell) -> Report:
    """Measure the parts of these names; `seconds` is how long a figure may take, a tournament some times as long.

    `python` is of the environment that has games of other projects, None when there is none. Raises MeasuringFailed.
    """
    cores = len(usable_cores())
    chosen = [source for name, sources in parts(cores).items() if name in names for source in sources]
    wanted = needed(chosen, cores)
    sources = [source for source in wanted if python or not source.other]
    found = measure(sources, rounds, partial(Source.command, seconds=seconds, python=python), tell)
    measures = {one.name: one for source in wanted for one in source.measures}
    findings = tuple(finding(one, found, measures) for one in measures.values() if one.name in found)
    missing = tuple(one for source in wanted if source not in sources for one in source.measures)
    return Report(findings, missing, rounds, seconds)


def measure(
    sources: Iterable[Source], rounds: int, command: Callable[[Source], list[str]], tell: Tell
) -> dict[str, list[float]]:
    """The figures of all rounds by name."""
    found: dict[str, list[float]] = {}
    with ExitStack() as opened:
        programs = {
            number: opened.enter_context(closing(Program(source.measures[0].what, command(source), source.environment)))
            for number, source in enumerate(sources)
        }
        for this in range(rounds):
            figures: dict[str, float] = {}
            for number, source in enumerate(sources):
                if this == 0 or not source.once:
                    tell(this + 1, source.measures[0].what)
                    new = programs[number].figures()
                    figures |= {name + source.suffix: figure for name, figure in new.items()}
            for name, figure in (figures | gains(figures)).items():
                found.setdefault(name, []).append(figure)
    return found


def finding(measure: Measure, found: Mapping[str, list[float]], measures: Mapping[str, Measure]) -> Finding:
    """The figures of a measure beside those of its yardsticks.

    Where a goal for a ratio is given it decides, for that holds on a machine of any speed; else the goal in units does.
    """
    own = found[measure.name]
    ratios = tuple(
        _ratio(own, found[against.yardstick], measures[against.yardstick], against.goal)
        for against in measure.against
        if against.yardstick in found
    )
    spread, decided = spread_of(own), [ratio.holds for ratio in ratios if ratio.holds is not None]
    if not decided and measure.goal is not None:
        decided = [measure.goal.holds(spread.median)]
    return Finding(measure, spread, all(decided) if decided else None, ratios)


def _ratio(own: Sequence[float], others: Sequence[float], yardstick: Measure, goal: Goal | None) -> Ratio:
    ratio = spread_of([one / other for one, other in zip(own, others, strict=True)])
    return Ratio(yardstick, spread_of(others), ratio, goal, None if goal is None else goal.holds(ratio.median))


def spread_of(figures: Sequence[float]) -> Spread:
    """Their quartiles; those of a single figure are itself."""
    low, middle, high = quantiles(figures, n=4, method="inclusive") if len(figures) > 1 else 3 * list(figures)
    return Spread(low, middle, high)


def document(report: Report) -> dict[str, Any]:
    """The report as JSON values: `measures` by name, and which could not be measured."""
    return {
        "rounds": report.rounds,
        "seconds": report.seconds,
        "measures": {one.measure.name: _row(one) for one in report.findings},
        "not_measured": [one.name for one in report.missing],
    }


def _row(one: Finding) -> dict[str, Any]:
    head = {"what": one.measure.what, "unit": one.measure.unit} | _figures(one.found) | _goal(one.measure.goal)
    yardsticks = {
        ratio.yardstick.name: {"what": ratio.yardstick.what, "yardstick": _figures(ratio.measured)["median"]}
        | _figures(ratio.ratio)
        | _goal(ratio.goal)
        | ({} if ratio.holds is None else {"holds": ratio.holds})
        for ratio in one.ratios
    }
    return head | ({} if one.holds is None else {"holds": one.holds}) | {"ratios": yardsticks}


def _figures(spread: Spread) -> dict[str, float]:
    return {name: float(f"{figure:.4g}") for name, figure in spread._asdict().items()}


def _goal(goal: Goal | None) -> dict[str, float]:
    return {} if goal is None else {"at_least" if goal.at_least else "at_most": goal.figure}
