"""`/rules`: the game, told anew in each language; its numbers are those of `arena/game/README.md`, and what the
examples bring is computed by the rules themselves."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import Response

from arena.game.cards import parse_cards, total
from arena.game.scoring import declaration_holds, points_of_declaration
from arena.game.variant import Variant
from arena.web.view import Viewing

router = APIRouter()

STANDARD = Variant()

SETS = {
    "single": ("9d",),
    "pair": ("7s 7h",),
    "two_pairs": ("Kc Kd Kh Ks",),
    "run": ("As 2d 3c", "Qs Kh Ad", "4s 5h 6d 7c 8s"),
    "flush": ("2s 5s 8s Js Ks",),
}
"""What may be thrown, by the words that the texts have for it."""

NO_SETS = {
    "three": "7s 7h 7d",
    "mixed": "Ks Kh 7c 7d",
    "around": "Ks Ah 2d",
    "four_in_a_row": "4s 5h 6d 7c",
    "two_in_a_row": "4s 5h",
    "four_of_a_suit": "2s 5s 8s Js",
}
"""What may not."""

TOTALS = ((10, 16, 17), (10, 10, 15), (10, 8, 15), (50, 1))
"""Hands at the end of a deal; the first seat declared."""


class Declared(NamedTuple):
    """A declaration: the totals by seat, whether it holds, and the points that it brings."""

    totals: tuple[int, ...]
    holds: bool
    points: tuple[int | None, ...]


@router.get("/rules", name="rules")
def rules(view: Viewing) -> Response:
    """The rules in the reader's language."""

    def render() -> str:
        return view.render(
            "rules.html",
            sets={name: [cards.split() for cards in examples] for name, examples in SETS.items()},
            no_sets={name: cards.split() for name, cards in NO_SETS.items()},
            worth={cards: total(parse_cards(cards)) for examples in SETS.values() for cards in examples},
            declared=[declared(totals) for totals in TOTALS],
            standard=asdict(STANDARD),
        )

    return view.kept(render, version="")


def declared(totals: tuple[int, ...]) -> Declared:
    """What a declaration of the first seat brings by the standard rules."""
    holds = declaration_holds(totals[0], min(totals[1:]), STANDARD)
    return Declared(totals, holds, points_of_declaration(totals, 0, STANDARD))
