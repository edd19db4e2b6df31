"""The steps of a check that put the fixed turns to a bot. Each has its time, and ends in it whatever the bot does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from time import sleep

from arena.bots.conformance.asking import ask_alone, ask_together
from arena.bots.conformance.findings import Figure, Finding, Reply, Step, StepReport, wrong
from arena.bots.conformance.interview import Interview, Tally
from arena.bots.conformance.judging import done
from arena.bots.conformance.turns import LIMITS, FixedTurn
from arena.bots.errors import StartError
from arena.game.actions import Action, Play
from arena.match.limits import Pace

SLOW_START_S = 5.0
"""Half of the limit: on a busy machine such a start comes too late."""

EXPECTED_CHANCE = "chance from nowhere but `choice_seed`, so that a match can be played again"
EXPECTED_NO_STATE = "answers that depend on the question alone: a process may be replaced at any time"


def start(interview: Interview) -> StepReport:
    """Start the bot, on its start-up limit."""
    try:
        seconds = interview.start()
    except StartError as error:
        expected = "a bot that listens and answers Describe in 10 s"
        finding = Finding(True, f"cannot be started: {error}", expected, said=error.output)
        return StepReport(Step.START, "not started", {"start_s": None}, (finding,))
    slow = Finding(False, f"it took {seconds:.1f} s to start", f"less than {SLOW_START_S:g} s, since the limit is 10 s")
    findings = (slow,) if seconds > SLOW_START_S else ()
    return StepReport(Step.START, f"{seconds:.2f} s until it said who it is", {"start_s": round(seconds, 3)}, findings)


def describe(interview: Interview, name: str, version: str) -> StepReport:
    """Compare what the bot says of itself with its manifest (`name` and `version`, "" where there is none)."""
    said = interview.description
    findings = [
        Finding(False, f"Describe gives the {what} {own!r}", f"{known!r} as in bot.toml, which counts, or nothing")
        for what, own, known in (("name", said.name, name), ("version", said.version, version))
        if own and known and own != known
    ]
    wants = {"legal discards": said.wants_legal_discards, "Conclude": said.wants_conclude}
    summary = f"{said.max_batch} turns a call" if said.max_batch > 1 else "one turn a call, which is slow"
    if any(wants.values()):
        summary += f", wants {' and '.join(word for word, wanted in wants.items() if wanted)}"
    figures = {
        "max_batch": said.max_batch,
        "wants_legal_discards": said.wants_legal_discards,
        "wants_conclude": said.wants_conclude,
    }
    return StepReport(Step.DESCRIBE, summary, figures, tuple(findings))


def turns(replies: Sequence[Reply], wanted: int) -> StepReport:
    """What the replies to the fixed turns, asked one by one, are worth; `wanted` is how many turns there are."""
    return StepReport(Step.TURNS, _tell(replies, wanted), _figures(replies), wrong(replies))


def order(
    again: Callable[[], Interview], before: Sequence[Reply], until: float
) -> tuple[StepReport, tuple[Reply, ...]]:
    """Ask a new process the same turns in the opposite order; the report, and the replies.

    Where they differ, one more process is asked in the same order: if that one differs too, it is by chance or by the
    clock, else the bot keeps state.
    """
    asked = [reply.turn for reply in before]
    replies = _ask_anew(again, asked[::-1], until)
    apart = differences(before, replies)
    by_chance = differences(before, _ask_anew(again, asked, until)) if apart else []
    compared = len(pairs(before, replies))
    figures = {"compared": compared, "repeatable": not apart, "keeps_state": bool(apart) and not by_chance}
    findings = list(_new(before, replies))
    summary = f"{compared} answers alike in another order"
    if by_chance:
        summary = "not repeatable"
        what = f"answers change from process to process: {_apart(by_chance)}"
        findings.append(Finding(False, what, EXPECTED_CHANCE, turns=(by_chance[0][0].turn,)))
    elif apart:
        summary = "keeps state"
        what = f"keeps state, since answers depend on what was asked before: {_apart(apart)}"
        findings.append(Finding(False, what, EXPECTED_NO_STATE, turns=(apart[0][0].turn,)))
    return StepReport(Step.ORDER, summary, figures, tuple(findings)), replies


def batch(interview: Interview, before: Sequence[Reply], until: float, *, compared: bool) -> StepReport:
    """Ask the same turns many in a call, as many as the arena would after the replies `before`.

    The answers are `compared` with those, unless these are chance. Faults that came up before are not told again.
    """
    most, pace = interview.player.max_batch, Pace(LIMITS)
    for reply in before:
        if not reply.failed:
            pace.answered(1, reply.charged_s, most)
    if pace.most == 1:
        why = "its turns are too slow for more" if most > 1 else "its max_batch is 1"
        return StepReport(Step.BATCH, f"one turn a call, since {why}", {"asked": 0})
    asked = [reply.turn for reply in before]
    replies = ask_together(interview, asked, pace.most, until)
    findings = list(_new(before, replies))
    if interview.player.max_batch == 1:
        what = f"max_batch is {most}, but it has no TakeTurns"
        findings.append(Finding(False, what, "TakeTurns, or a max_batch of 1"))
    apart = differences(before, replies) if compared else []
    if apart:
        what = f"answers differ in a call of {len(apart[0][1].asked)} turns: {_apart(apart)}"
        findings.append(Finding(False, what, "the same answer, alone or with others", turns=apart[0][1].asked))
    figures = _figures(replies) | {"turns_a_call": pace.most, "different": len(apart) if compared else None}
    return StepReport(Step.BATCH, _tell(replies, len(asked)), figures, tuple(findings))


def idle(interview: Interview, turn: FixedTurn, seconds: float, tally: Tally) -> StepReport:
    """Ask a turn, leave the bot alone for so many seconds, and ask again: between calls a bot should do nothing."""
    first = ask_alone(interview, [turn], inf)
    again: tuple[Reply, ...] = ()
    for pause in (seconds / 5, seconds):  # the gap after a call is not looked at when another one was just before
        sleep(pause)
        again += ask_alone(interview, [turn], inf)
    findings = list(_new(first, again))
    if tally.paused:
        findings.append(Finding(False, f"it {tally.paused}", "a bot that is idle when it is not asked"))
    return StepReport(Step.IDLE, "not so" if findings else "between calls", {"seconds": seconds}, tuple(findings))


def pairs(one: Sequence[Reply], other: Sequence[Reply]) -> list[tuple[Reply, Reply]]:
    """The replies to the same turns that can both be read."""
    by_name = {reply.turn.name: reply for reply in other}
    both = [(reply, by_name[reply.turn.name]) for reply in one if reply.turn.name in by_name]
    return [pair for pair in both if all(reply.judgement.action is not None for reply in pair)]


def differences(one: Sequence[Reply], other: Sequence[Reply]) -> list[tuple[Reply, Reply]]:
    """Those of the pairs in which something else is done."""
    return [(reply, twin) for reply, twin in pairs(one, other) if _meant(reply) != _meant(twin)]


def _meant(reply: Reply) -> Action | None:
    """What a reply does, in whatever order it names the cards."""
    action = reply.judgement.action
    return Play(bytes(sorted(action.discard)), action.take) if isinstance(action, Play) else action


def _apart(differing: Sequence[tuple[Reply, Reply]]) -> str:
    """How the first of differing pairs differs, and how many more there are."""
    reply, twin = differing[0]
    first, then = reply.judgement.action, twin.judgement.action
    assert first is not None
    assert then is not None
    more = f", and in {len(differing) - 1} more" if len(differing) > 1 else ""
    return f"in '{reply.turn.name}' it {done(first)}, or it {done(then)}{more}"


def _ask_anew(again: Callable[[], Interview], asked: Sequence[FixedTurn], until: float) -> tuple[Reply, ...]:
    """The replies of a new process; none when it does not start, which the first call tells."""
    with again() as interview:
        return ask_alone(interview, asked, until)


def _new(before: Sequence[Reply], replies: Sequence[Reply]) -> tuple[Finding, ...]:
    """The faults that were not seen before: of a kind that there was none of, in turns that were answered well."""
    right = {reply.turn.name for reply in before if reply.right}
    known = {reply.judgement.fault for reply in before}
    return wrong(reply for reply in replies if reply.turn.name in right and reply.judgement.fault not in known)


def _tell(replies: Sequence[Reply], wanted: int) -> str:
    right = sum(reply.right for reply in replies)
    left = f", {wanted - len(replies)} were not asked" if len(replies) < wanted else ""
    return f"{right} of {len(replies)} turns answered by the rules{left}"


def _figures(replies: Sequence[Reply]) -> dict[str, Figure]:
    return {"asked": len(replies), "right": sum(reply.right for reply in replies)}
