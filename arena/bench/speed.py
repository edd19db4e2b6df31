"""All measures beside their yardsticks: rounds go through all in turn, so that what disturbs one disturbs all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from arena.bench.measures import Against, Goal, Measure, Source, compiled_arena, gains, needed, parts
from arena.bench.running import Program
from arena.fleet.setups import usable_cores

Tell = Callable[[int, str], None]
"""Is told the round (from 1) and what is measured now."""


def other_games() -> Path | None:
    """The Python of the environment that has games of other projects, inside that of the arena; None without one."""
    python = Path(sys.prefix) / "yardsticks" / "bin" / "python"
    return python if python.exists() else None


def run(names: Sequence[str], rounds: int, seconds: float, python: Path | None, tell: Tell) -> dict[str, Any]:
    """Measure the parts of these names; `seconds` is how long a figure may take, a tournament some times as long.

    `python` is of the environment that has games of other projects, None when there is none. Returns JSON values: the
    sources by title with their measures, each with its ratios to yardsticks, the yardsticks likewise, and those that
    could not be measured. Raises MeasuringFailed.
    """
    cores = len(usable_cores())
    chosen = [source for name, sources in parts(cores).items() if name in names for source in sources]
    wanted = needed(chosen, cores)
    sources = [
        source for source in wanted if (python or not source.other) and (compiled_arena() or not source.compiled)
    ]
    found = measure(sources, rounds, partial(Source.command, seconds=seconds, python=python), tell)
    return {
        "rounds": rounds,
        "seconds": seconds,
        "measures": {source.title: findings(source, found) for source in chosen},
        "yardsticks": {source.title: findings(source, found) for source in sources if source not in chosen},
        "not_measured": [source.title for source in wanted if source not in sources],
    }


def measure(
    sources: Iterable[Source], rounds: int, command: Callable[[Source], list[str]], tell: Tell
) -> dict[str, list[float]]:
    """The figures of all rounds by name."""
    found: dict[str, list[float]] = {}
    with ExitStack() as opened:
        programs = {
            source.title: opened.enter_context(closing(Program(source.title, command(source), source.environment)))
            for source in sources
        }
        for this in range(rounds):
            figures: dict[str, float] = {}
            for source in sources:
                if this == 0 or not source.once:
                    tell(this + 1, source.title)
                    new = programs[source.title].figures()
                    figures |= {name + source.suffix: figure for name, figure in new.items()}
            for name, figure in (figures | gains(figures)).items():
                found.setdefault(name, []).append(figure)
    return found


def findings(source: Source, found: Mapping[str, list[float]]) -> dict[str, Any]:
    """What came of the measures of a source, by name, as JSON values."""
    return {one.name: finding(one, found) for one in source.measures if one.name in found}


def finding(measure: Measure, found: Mapping[str, list[float]]) -> dict[str, Any]:
    """The figures of a measure beside those of its yardsticks.

    `holds` stands there only with a goal. Where a goal for a ratio is given it decides, for that holds on a machine of
    any speed; else the goal in units does.
    """
    own = found[measure.name]
    ratios = {
        one.yardstick: _ratio(own, found[one.yardstick], one) for one in measure.against if one.yardstick in found
    }
    itself = _judged(own, measure.goal)
    decided = [ratio["holds"] for ratio in ratios.values() if "holds" in ratio]
    if decided:
        itself["holds"] = all(decided)
    return {"what": measure.what} | itself | {"ratios": ratios}


def _ratio(own: Sequence[float], others: Sequence[float], against: Against) -> dict[str, Any]:
    ratios = [one / other for one, other in zip(own, others, strict=True)]
    return {"to": against.called, "yardstick": _rounded(median(others))} | _judged(ratios, against.goal)


def _judged(figures: Sequence[float], goal: Goal | None) -> dict[str, Any]:
    """The median and the quartiles; the goal and whether the median reaches it."""
    low, middle, high = quantiles(figures, n=4, method="inclusive") if len(figures) > 1 else 3 * list(figures)
    found: dict[str, Any] = {"median": _rounded(middle), "low": _rounded(low), "high": _rounded(high)}
    if goal is not None:
        found |= {"at_least" if goal.at_least else "at_most": goal.figure, "holds": goal.holds(middle)}
    return found


def _rounded(figure: float) -> float:
    return float(f"{figure:.4g}")
