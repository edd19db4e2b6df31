"""Informed lineups for a named question: those meet whose results tell most, until the question is answered.

Every fifth lineup is drawn in balance, whatever the question, so that nothing that seems settled stays unwatched. The
first round is all balanced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

import numpy as np

from arena.rating import questions
from arena.rating.design import Designer, Wanted
from arena.rating.errors import BadQuestionError
from arena.rating.knowledge import Knowledge, learn
from arena.rating.notes import Note
from arena.rating.questions import EXAMPLES, Answer, Kind, Question, parse_question
from arena.rating.results import Block, Results
from arena.tournament.entries import Entry, entries_digest
from arena.tournament.formats.balance import balanced_tables
from arena.tournament.formats.base import (
    Format,
    PlanError,
    Rounds,
    check_options,
    check_tables,
    owner_numbers,
    whole_number,
)
from arena.tournament.formats.drawing import MOST_WANTED
from arena.tournament.rounds import Lineup, Setting

MOST_BLOCKS = 5_000
"""A question without a budget stays open after so many blocks."""

_LEAST_ROUND = 16
_SHARE_OF_PLAYED = 8
_BALANCED = 5
"""One in so many lineups is drawn in balance."""

_SERIES = 50
"""So many of those are drawn together, and are in balance among themselves."""

_LEAST_DIGITS = 8


def question_of(setting: Setting) -> Question:
    """The question that is asked; PlanError when it is none or fits these bots not."""
    text = setting.options.get("question")
    if not isinstance(text, str):
        raise PlanError(f"informed lineups need a question: ask {EXAMPLES}")
    try:
        question = parse_question(text)
    except BadQuestionError as error:
        raise PlanError(str(error)) from error
    if question.places >= len(setting.entries):
        raise PlanError(f"{text!r}: only {len(setting.entries)} bots entered: ask for fewer places")
    if len(set(_named(setting, question))) < len(question.names):
        raise PlanError(f"{text!r} names one bot twice: name two bots")
    return question


def _named(setting: Setting, question: Question) -> tuple[Entry, ...]:
    return tuple(_entry(setting, name) for name in question.names)


def _entry(setting: Setting, name: str) -> Entry:
    """The one entry of that name, name@version, or beginning of the digest (8 digits or more)."""
    found = [entry for entry in setting.entries if name in (entry.name, f"{entry.name}@{entry.version}")]
    if not found and len(name) >= _LEAST_DIGITS:
        found = [entry for entry in setting.entries if entry.digest.hex().startswith(name.lower())]
    if len(found) == 1:
        return found[0]
    if found:
        versions = ", ".join(f"{entry.name}@{entry.version}" for entry in found)
        raise PlanError(f"the question names {name!r}, and {len(found)} bots have that name: say one of {versions}")
    raise PlanError(f"the question names {name!r}, and no bot of that name entered")


def answer(setting: Setting, rounds: Rounds) -> Answer | None:
    """How far the question is answered, by index of the bots' sorted digests; None before anything was played."""
    knowledge = _knowledge(setting, rounds)
    return _answer(setting, knowledge) if knowledge else None


def _knowledge(setting: Setting, rounds: Rounds) -> Knowledge[bytes] | None:
    played = [block for block in chain.from_iterable(rounds) if block.results]
    if not played:
        return None
    blocks = (Block(b"".join(block.lineup) + block.number.to_bytes(4, "big"), block.results) for block in played)
    return learn(Results.from_blocks(blocks, _digests(setting)))


def _digests(setting: Setting) -> list[bytes]:
    return sorted({entry.digest for entry in setting.entries})


def _answer(setting: Setting, knowledge: Knowledge[bytes]) -> Answer:
    question, position = question_of(setting), knowledge.bots.index
    named = [position(entry.digest) for entry in _named(setting, question)]
    return questions.answer(question, knowledge, named, {position(bot) for bot in setting.gone})


def _check(setting: Setting) -> None:
    check_options(setting, {"question", "blocks"})
    check_tables(setting)
    if setting.deals != 1:
        raise PlanError(f"lineups are chosen for one block at a time: leave the {setting.deals} deals out")
    question_of(setting)
    _most_blocks(setting)


def _most_blocks(setting: Setting) -> int:
    return whole_number(setting, "blocks", 1, MOST_WANTED) or MOST_BLOCKS


def _first_round(setting: Setting) -> int:
    """Blocks enough for everybody to sit at two tables."""
    return max(_LEAST_ROUND, -(-2 * len(setting.entries) // setting.seats))


def _next_lineups(setting: Setting, rounds: Rounds) -> Sequence[Lineup]:
    planned, most, first = sum(map(len, rounds)), _most_blocks(setting), _first_round(setting)
    size = min(most - planned, first if planned < first else max(_LEAST_ROUND, planned // _SHARE_OF_PLAYED))
    named = {entry.digest for entry in _named(setting, question_of(setting))}
    if size < 1 or setting.gone & named or len(setting.entries) - len(setting.gone) < setting.seats:
        return ()
    knowledge = _knowledge(setting, rounds)
    found = _answer(setting, knowledge) if knowledge else None
    if found and (found.complete or not found.better.size):
        return ()
    digests, entries = _digests(setting), {entry.digest: entry for entry in setting.entries}
    balanced = _balanced(setting, range(planned, planned + size))
    tables = _chosen(setting, knowledge, found, balanced) if knowledge and found else filter(None, balanced)
    return [tuple(entries[digests[bot]] for bot in table) for table in tables]


def _balanced(setting: Setting, slots: range) -> list[Sequence[int] | None]:
    """For each of these lineups of the tournament the table drawn in balance, None where one is to be chosen."""
    first = _first_round(setting)
    owners, seed = _owners(setting), entries_digest(setting.entries)
    gone = {number for number, digest in enumerate(_digests(setting)) if digest in setting.gone}

    @cache
    def drawn(series: int) -> list[list[int]]:
        """Series 0 is the first round."""
        count = _SERIES if series else first
        tables: list[list[int]] = balanced_tables(owners, setting.seats, count, b"%d/" % series + seed).tolist()
        return tables

    tables: list[Sequence[int] | None] = []
    for slot in slots:
        turn, rest = divmod(slot - first, _BALANCED)
        table = drawn(0)[slot] if slot < first else None
        if slot >= first and rest == _BALANCED - 1:
            table = drawn(1 + turn // _SERIES)[turn % _SERIES]
        tables.append(None if table is None or gone.intersection(table) else table)
    return tables


def _owners(setting: Setting) -> list[int]:
    """The owners by number, in the order of the sorted digests."""
    owner = dict(zip((e.digest for e in setting.entries), owner_numbers(setting, setting.entries), strict=True))
    return [owner[digest] for digest in _digests(setting)]


def _chosen(
    setting: Setting, knowledge: Knowledge[bytes], found: Answer, balanced: Sequence[Sequence[int] | None]
) -> Iterator[Sequence[int]]:
    """The tables of a round: those in balance, and between them those that tell most about what is still open."""
    owners, gone = np.array(_owners(setting)), np.array([bot in setting.gone for bot in knowledge.bots])
    apart = (owners[:, None] == owners[None, :]) | gone[:, None] | gone[None, :]
    designer = Designer(knowledge.theta, knowledge.planning, apart, setting.seats)
    still = ~found.told_apart
    wanted = Wanted(found.better[still], found.worse[still])
    for table in balanced:
        chosen = designer.best_table(wanted) if table is None else table
        if len(chosen) == setting.seats:
            designer.play(chosen)
            yield chosen


def _tell(setting: Setting, rounds: Rounds) -> Note | None:
    knowledge = _knowledge(setting, rounds)
    if knowledge is None:
        return None
    found, question = _answer(setting, knowledge), question_of(setting)
    newcomer = knowledge.bots.index(_named(setting, question)[0].digest) if question.kind is Kind.NEWCOMER else 0
    labels = {entry.digest: f"{entry.name} {entry.version}" for entry in setting.entries}
    names = [labels[bot] for bot in knowledge.bots]
    played = sum(bool(block.results) for block in chain.from_iterable(rounds))
    values: dict[str, object] = {"played": played, "said": _said(question, found, newcomer, names)}
    if found.complete:
        values["sure"] = f"{100 * question.confidence:.6g}"
        return Note("", "Answered after %(played)s blocks: %(said)s, sure to %(sure)s %%.", values)
    values |= {"apart": int(found.told_apart.sum()), "all": found.better.size}
    return Note(
        "",
        "Open after %(played)s blocks: it looks as if %(said)s; %(apart)s of %(all)s comparisons are sure.",
        values,
    )


def _said(question: Question, found: Answer, newcomer: int, names: Sequence[str]) -> Note:
    if question.kind is Kind.PAIR:
        two = {"better": names[found.better[0]], "worse": names[found.worse[0]]}
        return Note("", "%(better)s is better than %(worse)s", two)
    if question.kind is Kind.NEWCOMER:
        place = {"place": 1 + int((found.worse == newcomer).sum()), "bots": found.worse.size + 1}
        return Note("", "%(bot)s is number %(place)s of %(bots)s", {"bot": names[newcomer], **place})
    best = tuple(names[bot] for bot in found.order[: question.places])
    if question.places == 1:
        return Note("", "%(bot)s leads", {"bot": best[0]})
    if question.kind is Kind.ORDER:
        return Note("", "the best are %(bots)s in this order", {"bots": best})
    return Note("", "the best are %(bots)s", {"bots": best})


INFORMED = Format(
    name="informed",
    about="those meet whose results tell most about a question you ask",
    dynamic=True,
    check=_check,
    next_lineups=_next_lineups,
    most_blocks=_most_blocks,
    tell=_tell,
)
