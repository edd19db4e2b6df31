"""What `arena bots ask` shows: the table as the seat sees it, and the answer with its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from arena.bots.conformance.judging import Judgement, done, expected, fault_words, rule_words
from arena.cli.asking import Answered, Asked
from arena.cli.cards import cards_text
from arena.cli.output import count, plain
from arena.game.actions import Action, Declare, Play
from arena.game.cards import by_rank, card_name, card_names, fold, total
from arena.game.history import PublicEvent, PublicForfeit
from arena.game.view import Observation
from arena.match.faults import Verdict
from arena.match.player import Question
from arena.match.record import TurnRecord
from arena.tournament.labels import harmless

LAPS = 2
"""Of the events of a deal the last ones are shown: those of so many laps."""

MOST_LINES = 20
"""So many lines of what the bot printed are shown."""


def document(asked: Asked, answered: Answered) -> dict[str, Any]:
    """All of it as one JSON document; `micros` is an answer's part of the time of the call."""
    given, result, judgements, output = answered
    micros = round(result.charged_s * 1e6 / len(judgements))
    return {
        "bot": given.label,
        "id": given.digest.hex(),
        "asked": asked.where,
        "turns": [
            {
                "table": str(question.table),
                "turn": question.turn,
                "seat": question.observation.seat,
                "answer": _action(judgement.action),
                "legal": judgement.fault is None,
                "fault": _fault(judgement.fault, judgement.detail),
                "micros": micros,
            }
            for question, judgement in zip(asked.questions, judgements, strict=True)
        ],
        "recorded": _recorded(asked.recorded) if asked.recorded else None,
        "output": output.splitlines(),
    }


def show(asked: Asked, answered: Answered) -> Iterator[Text]:
    """All of it line by line."""
    given, result, judgements, output = answered
    yield Text.assemble((harmless(given.label), "bold"), f" is asked {harmless(asked.where)}")
    for question, judgement in zip(asked.questions, judgements, strict=True):
        if len(judgements) == 1:
            yield from _table(question, asked.names or _nobodies(question, given.label))
        yield from _answer(question, judgement, alone=len(judgements) == 1)
    took = f"{result.charged_s * 1000:.2f} ms for {count(len(judgements), 'turn')}"
    limit_ms = asked.questions[0].turn_limit_ms
    yield Text(f"  It took {took}" + (f"; the limit of a turn is {limit_ms} ms." if limit_ms else "."))
    if asked.recorded is not None:
        yield Text(f"  In the match: {_recorded_words(asked.recorded)}.")
    if output:
        yield Text("  It printed:")
        yield from (Text(f"    {harmless(line)}", "dim") for line in output.splitlines()[-MOST_LINES:])


def _nobodies(question: Question, label: str) -> tuple[str, ...]:
    seats = range(len(question.observation.public.seats))
    return tuple(label if seat == question.observation.seat else "" for seat in seats)


def _table(question: Question, names: Sequence[str]) -> Iterator[Text]:
    """What the seat sees: rules, points, the last events, and what it may do."""
    seen = question.observation
    public = seen.public
    changed = [f"{name} {value}" for name, value in public.variant.changes().items()]
    yield Text(f"Deal {public.deal}, turn {question.turn} of the match. Rules: {', '.join(changed) or 'standard'}")
    for seat, (cards, points, out) in enumerate(public.seats):
        line = Text(f"  {seat} {points:>4} {'point ' if points == 1 else 'points'}  ")
        line.append("out of the match" if out else count(cards, "card"), "dim" if out else "")
        line.append("  asked" if seat == seen.seat else "", "bold")
        yield line.append(f"  {harmless(names[seat])}" if names[seat] else "")
    yield from _events(seen)
    yield Text.assemble("  hand ", cards_text(by_rank(seen.hand)), f"  = {total(seen.hand)}")
    opened = cards_text(by_rank(public.open)) if public.open else Text("none")
    closed = count(public.closed_count, "card") + ("" if public.may_take_closed else ", which may not be taken from")
    yield Text.assemble("  open ", opened, f"  closed deck: {closed}")
    yield Text(f"  It {'may' if public.may_declare else 'may not'} declare.")


def _events(seen: Observation) -> Iterator[Text]:
    public = seen.public
    shown = public.events[-LAPS * len(public.seats) :]
    if left := len(public.events) - len(shown):
        yield Text(f"  … {count(left, 'turn')} before", "dim")
    yield from (plain(f"  {event.seat} {_event(event)}") for event in shown)


def _event(event: PublicEvent) -> str:
    if isinstance(event, PublicForfeit):
        return "forfeited"
    refilled = f" (the deck was refilled with {count(event.refilled, 'card')})" if event.refilled else ""
    return f"{_done(Play(event.discard, event.taken))}{refilled}"


def _done(action: Action) -> str:
    """An action in words, its cards by rank whatever their order was, so that equal actions read alike."""
    return done(Play(by_rank(action.discard), action.take) if isinstance(action, Play) else action)


def _answer(question: Question, judgement: Judgement, *, alone: bool) -> Iterator[Text]:
    action, fault, detail = judgement
    line = Text("It " if alone else f"  turn {question.turn}, seat {question.observation.seat}: ", "bold")
    line.append(_done(action) if action is not None else "gives no answer that can be read", "bold")
    if fault is None:
        yield line.append(", which is legal.")
        return
    yield line.append(".")
    words = rule_words(fault) or harmless(detail)
    yield Text.assemble("  ", (fault_words(fault), "bold red"), f": {words}" if words else "")
    yield plain(f"  Expected: {expected(question, fault)}.")


def _action(action: Action | None) -> dict[str, Any] | None:
    """An action as in an export."""
    if action is None:
        return None
    if isinstance(action, Declare):
        return {"action": "declare"}
    take = "closed" if action.take is None else card_name(action.take)
    return {"action": "play", "discard": card_names(action.discard).split(), "take": take}


def _fault(fault: Verdict | None, detail: str) -> dict[str, Any] | None:
    return {"kind": fault.kind.value, "reason": fault.reason, "detail": detail} if fault else None


def _recorded(turn: TurnRecord) -> dict[str, Any]:
    fault = Verdict(turn.fault.kind, turn.fault.reason) if turn.fault else None
    return {"answer": None if fault else _action(turn.action), "fault": _fault(fault, ""), "micros": turn.micros}


def _recorded_words(turn: TurnRecord) -> str:
    if turn.fault is not None:
        return f"{fault_words(Verdict(turn.fault.kind, turn.fault.reason))}, and the arena played for the bot"
    action = turn.action
    if isinstance(action, Play):  # a record has the cards themselves
        action = Play(fold(action.discard), action.take)
    return f"the bot {_done(action) if action is not None else 'forfeited'} ({turn.micros / 1000:.2f} ms)"
