"""What a check finds: reports of its steps, in them what is wrong, what was expected, and the turns that show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from arena.bots.conformance.judging import Judgement, done, expected, fault_words, rule_words
from arena.bots.conformance.reading import read_question
from arena.bots.conformance.turns import FixedTurn
from arena.match.faults import FaultKind, Verdict

IMPOSSIBLE = "; no match has such a turn by the rules of today, so this is only a warning"


class Step(Enum):
    """The steps of a check, in their order."""

    FILES = "files"
    START = "start"
    DESCRIBE = "describe"
    TURNS = "turns"
    ORDER = "order"
    BATCH = "batch"
    IDLE = "idle"
    SPEED = "speed"
    MATCHES = "matches"
    MEMORY = "memory"
    OUTPUT = "output"


Figure: TypeAlias = float | int | str | bool | None


class Finding(NamedTuple):
    """Something that is wrong: an `error`, with which a bot does not pass, or a warning.

    `turns` are the questions that show it when they are asked in one call, `said` is what the bot said or printed.
    """

    error: bool
    what: str
    expected: str = ""
    said: str = ""
    turns: tuple[FixedTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class StepReport:
    """What came of a step: one line, figures by name, with the unit in it, and what is wrong."""

    step: Step
    summary: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether there is an error in it."""
        return any(finding.error for finding in self.findings)


def document(report: StepReport) -> dict[str, Any]:
    """A report as JSON has it; the turns that show its findings are not in it."""
    findings = [
        {"error": one.error, "what": one.what, "expected": one.expected, "said": one.said.splitlines()}
        for one in report.findings
    ]
    figures = dict(report.figures)
    return {"step": report.step.value, "summary": report.summary, "figures": figures, "findings": findings}


class Reply(NamedTuple):
    """How a turn was answered; `asked` are the turns of its call, which `failed` as a whole or not, `charged_s` its
    part of the time, and `output` is what the bot had printed last."""

    turn: FixedTurn
    judgement: Judgement
    asked: tuple[FixedTurn, ...]
    charged_s: float = 0.0
    output: str = ""
    failed: bool = False

    @property
    def right(self) -> bool:
        """Whether it is no fault."""
        return self.judgement.fault is None


def wrong(replies: Iterable[Reply]) -> tuple[Finding, ...]:
    """The faults among replies: each kind of fault once, with the first turn that shows it.

    A fault that only turns show which come up in no match is a warning.
    """
    groups: dict[tuple[Verdict, bool], list[Reply]] = {}
    for reply in replies:
        if (fault := reply.judgement.fault) is not None:
            alike = fault._replace(reason="") if fault.kind is FaultKind.STALE_TURN else fault
            groups.setdefault((alike, len(reply.asked) > 1), []).append(reply)
    return tuple(map(_finding, groups.values()))


def _finding(alike: Sequence[Reply]) -> Finding:
    possible = any(reply.turn.possible or reply.failed for reply in alike)
    first = next(reply for reply in alike if reply.turn.possible or not possible)
    action, fault, detail = first.judgement
    assert fault is not None
    more = detail.removeprefix(fault.reason).lstrip(" :")
    did = f": it {done(action)}" if action is not None else f": {more}" if more else ""
    rule = f", but {words}" if (words := rule_words(fault)) else ""
    wanted = expected(read_question(first.turn.request), fault)
    if not possible:
        wanted += IMPOSSIBLE
    what = f"{_where(first, alike)}: {fault_words(fault)}{did}{rule}"
    return Finding(possible, what, wanted, first.output, first.asked)


def _where(first: Reply, alike: Sequence[Reply]) -> str:
    """The turns or calls that a fault was in."""
    calls = {reply.asked for reply in alike}
    together = len(first.asked)
    if together > 1 and first.failed:
        return f"{len(calls)} calls, the first of {together} turns" if len(calls) > 1 else f"a call of {together} turns"
    where = f"'{first.turn.name}'" + (f" in a call of {together} turns" if together > 1 else "")
    return f"{where}, and {len(alike) - 1} more" if len(alike) > 1 else where
