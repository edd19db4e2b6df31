"""Questions that a tournament can be asked, and when they are answered: by a band that may be looked at any time.

A question is a family of comparisons of two bots. It is answered when all of them are told apart together, each at its
part of the allowed chance of error (C. Bonferroni 1936). The chance that a wrong answer is ever given is below that:
a wrong one reverses one of the comparisons that belong to the truth, and there are no more of those.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from arena.rating.band import band_factor
from arena.rating.errors import BadQuestionError
from arena.rating.knowledge import Knowledge
from arena.rating.likelihood import Floats, Indices
from arena.rating.results import Bools

LEAST_BLOCKS = 24
"""A bot is not told apart before it sat in so many blocks: the band needs to know the scatter."""

EXAMPLES = '"leader", "top-3 separated", "top-3 in order", "pair A B" or "newcomer A", each with "at 95 %"'


class Kind(Enum):
    """What is asked."""

    TOP = "top"
    """Which bots are the best so many: each told apart from every bot that is not."""
    ORDER = "order"
    """Which are they and in what order: told apart from each other too."""
    PAIR = "pair"
    """Which of two bots is better."""
    NEWCOMER = "newcomer"
    """Where a bot stands: told apart from every other."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `places` is the number of the best, `names` are the bots that it names, `confidence` is below 1."""

    kind: Kind
    places: int = 0
    names: tuple[str, ...] = ()
    confidence: float = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """How far a question is answered: comparisons by index of bots, the `better` before the `worse` one as it looks.

    `told_apart` says of each whether it is sure; `order` has the bots that are not out, the best first.
    """

    order: Indices
    better: Indices
    worse: Indices
    told_apart: Bools

    @property
    def complete(self) -> bool:
        """Whether the question is answered."""
        return self.told_apart.size > 0 and bool(self.told_apart.all())


def parse_question(text: str) -> Question:
    """Read a question, in any case: `leader`, `top-N separated`, `top-N in order`, `pair A B`, `newcomer A`.

    `at 95 %` may follow and is assumed. Names with spaces stand in quotes. Raises BadQuestionError.
    """
    asked = re.fullmatch(r"\s*(.*?)(?:\s+at\s+(\d{1,9}(?:\.\d{1,6})?)\s*%)?\s*", text, re.IGNORECASE | re.DOTALL)
    words = re.findall(r'"[^"]*"|\'[^\']*\'|\S+', asked[1] if asked else "")
    confidence = float(asked[2]) / 100 if asked and asked[2] else 0.95
    if not 0.5 < confidence < 1.0:
        raise BadQuestionError(f"{text!r} asks for a confidence that is not between 50 % and 100 %")
    match [word.lower() for word in words]:
        case ["leader"]:
            return Question(Kind.TOP, 1, confidence=confidence)
        case ["pair", _, _]:
            return Question(Kind.PAIR, names=_names(words[1:]), confidence=confidence)
        case ["newcomer", _]:
            return Question(Kind.NEWCOMER, names=_names(words[1:]), confidence=confidence)
    top = re.fullmatch(r"top[- ]?(\d{1,4}) (separated|in order)", " ".join(words), re.IGNORECASE)
    if not top or int(top[1]) < 1:
        raise BadQuestionError(f"{text!r} is no question that can be asked: ask {EXAMPLES}")
    kind = Kind.TOP if top[2].lower() == "separated" else Kind.ORDER
    return Question(kind, int(top[1]), confidence=confidence)


def _names(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word[1:-1] if word[0] in "\"'" and word[-1] == word[0] and len(word) > 1 else word for word in words)


def answer(question: Question, knowledge: Knowledge[Any], named: Sequence[int], out: Collection[int] = ()) -> Answer:
    """Look how far a question is answered; `named` are the bots that it names, `out` those that nobody asks for."""
    order = np.array([bot for bot in np.argsort(-knowledge.theta, kind="stable").tolist() if bot not in out], np.intp)
    one, other = _comparisons(question, order, named)
    ahead = knowledge.theta[one] >= knowledge.theta[other]
    better, worse = np.where(ahead, one, other), np.where(ahead, other, one)
    blocks = np.minimum(knowledge.spread.blocks[one], knowledge.spread.blocks[other])
    half_width = half_widths(knowledge, better, worse, (1.0 - question.confidence) / max(len(one), 1))
    lead = knowledge.theta[better] - knowledge.theta[worse]
    return Answer(order, better, worse, (blocks >= LEAST_BLOCKS) & (lead > half_width))


def half_widths(knowledge: Knowledge[Any], a: Indices, b: Indices, alpha: float) -> Floats:
    """Half-widths of the time-uniform bands around θa − θb: the error from whole blocks, for as many as both met in."""
    blocks = np.maximum(np.minimum(knowledge.spread.blocks[a], knowledge.spread.blocks[b]), 1)
    return np.asarray(np.sqrt(knowledge.variance(a, b) * blocks) * band_factor(blocks, alpha))


def _comparisons(question: Question, order: Indices, named: Sequence[int]) -> tuple[Indices, Indices]:
    """The comparisons that the question is made of."""
    if question.kind is Kind.PAIR:
        return np.array(named[:1], np.intp), np.array(named[1:], np.intp)
    if question.kind is Kind.NEWCOMER:
        others = order[order != named[0]]
        return np.full_like(others, named[0]), others
    first, second = np.triu_indices(order.size, 1)
    asked = first < question.places
    if question.kind is Kind.TOP:
        asked &= second >= question.places
    return order[first[asked]], order[second[asked]]
