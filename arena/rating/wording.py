"""How ratings are told in signs and words: intervals and bounds in a cell, and the notes that explain them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arena.rating.bot_rows import BotReport
from arena.rating.figures import DASH, Number, around, digits, plain_number, signed
from arena.rating.luck import DesignEffect
from arena.rating.notes import Figure, Note
from arena.rating.seats import SeatFigures
from arena.rating.widths import Kind

PROVISIONAL = "*"

Z_95 = 1.96
"""An interval of 95 % is so many standard errors to both sides."""

LEAST_EFFECT = 0.01
"""A match never tells as much as more than a hundred on deals of their own."""

MOST_NAMES = 5
"""So many names stand in a note."""


def rating_text(bot: BotReport[Any], number: Number = plain_number) -> str:
    """`1702 ± 99`, `> 1640` where only that can be said, and a dash for a bot that met no other."""
    if bot.rating is None:
        return DASH
    if bot.half_width is None:
        bound = bot.low if bot.low is not None else bot.high
        return f"{bot.flag} {number(bound, 0)}" if bound is not None else number(bot.rating, 0)
    mark = PROVISIONAL if bot.kind is Kind.PROVISIONAL else ""
    return f"{number(bot.rating, digits(bot.half_width))} {around(bot.half_width, number)}{mark}"


def rank_text(bot: BotReport[Any]) -> str:
    """The places that the results leave open: `2`, `1–3`, or a dash."""
    if bot.rank is None:
        return DASH
    first, last = bot.rank
    return str(first) if first == last else f"{first}–{last}"


def points_text(bot: BotReport[Any], number: Number = plain_number) -> str:
    """Points a deal ahead of the others, with the interval if there is one."""
    if bot.points_a_deal is None:
        return DASH
    width = "" if bot.points_half_width is None else f" ±{number(max(bot.points_half_width, 0.01), 2)}"
    return signed(bot.points_a_deal, number=number) + width


def effect_text(effect: float | None, error: float | None, number: Number = plain_number) -> str:
    """A design effect with its interval of 95 %: `0.51 ± 0.06`; without one where there are too few blocks."""
    if effect is None:
        return DASH
    return number(effect, 2) if error is None else f"{number(effect, 2)} ± {number(Z_95 * error, 2)}"


def group_count(bots: Sequence[BotReport[Any]]) -> int:
    """How many groups there are of which no bot met one of another group; bots that met nobody are in none."""
    return len({bot.component for bot in bots} - {None})


def group_notes(bots: Sequence[BotReport[Any]]) -> Iterator[Note]:
    """That groups do not compare, where there are several."""
    if (groups := group_count(bots)) > 1:
        yield Note(
            "groups",
            "the bots form %(groups)s groups that did not meet, so ratings and ranks compare only within a group; "
            "each further group has a mean of 1500",
            {"groups": groups},
        )


def deals_notes(effect: DesignEffect) -> Iterator[Note]:
    """What it saves that matches share their deals, as soon as there are blocks enough to tell."""
    found = []
    if values := _worth(effect.places, effect.places_error):
        found.append(Note("", "%(worth)s (%(low)s to %(high)s) by places", values))
    if values := _worth(effect.points, effect.points_error):
        found.append(Note("", "%(worth)s (%(low)s to %(high)s) by points", values))
    if found:
        yield Note(
            "deals",
            "shared by the matches of a block: one tells as much as so many on deals of its own: %(found)s",
            {"found": tuple(found)},
        )


def _worth(effect: float | None, error: float | None) -> dict[str, Figure]:
    """How many matches on deals of their own one tells as much as, with the ends of the interval; empty if unknown."""
    if effect is None or error is None:
        return {}
    sides = {"worth": 0, "low": 1, "high": -1}
    return {name: Figure(1 / max(effect + side * Z_95 * error, LEAST_EFFECT), 1) for name, side in sides.items()}


def reading_notes(bots: Sequence[BotReport[Any]], label: Callable[[Any], str]) -> Iterator[Note]:
    """What one must know to read intervals, ranks and bounds."""
    if any(bot.half_width is not None for bot in bots):
        yield Note("±", "holds the truth 95 times in 100; for a rating, its distance to the mean of the field")
    if any(bot.rank is not None for bot in bots):
        yield Note("rank", "the places that the results leave open, with 95 %% certainty for all bots together")
    if found := [label(bot.bot) for bot in bots if bot.kind is Kind.ABOVE]:
        yield Note(
            ">",
            "%(bots)s won every point, so the results bound the rating on one side only",
            {"bots": listed(found)},
        )
    if found := [label(bot.bot) for bot in bots if bot.kind is Kind.BELOW]:
        yield Note(
            "<",
            "%(bots)s lost every point, so the results bound the rating on one side only",
            {"bots": listed(found)},
        )
    if any(bot.kind is Kind.PROVISIONAL for bot in bots):
        yield Note(PROVISIONAL, "provisional: from a single block")


def circle_notes(circles: Sequence[Sequence[str]], circle_count: int, *, most: int) -> Iterator[Note]:
    """Where results contradict an order: at most so many circles, and how many there are."""
    for circle in circles[:most]:
        yield Note(
            "circle", "%(bots)s: each beat the next, likely above 95 %%", {"bots": " → ".join([*circle, circle[0]])}
        )
    if circle_count > most:
        yield Note("", "there are %(circles)s such circles", {"circles": circle_count})


def seat_notes(seats: Sequence[SeatFigures]) -> Iterator[Note]:
    """Seats that fared better or worse than chance explains."""
    for seat in filter(beyond_chance, seats):
        values = {"seat": seat.seat, "seats": seat.seats, "share": Figure(100 * seat.share, 1)}
        if seat.share > 0.5:
            yield Note(
                "seat",
                "%(seat)s at tables of %(seats)s fared better than chance explains: it beat %(share)s %% of the others",
                values,
            )
        else:
            yield Note(
                "seat",
                "%(seat)s at tables of %(seats)s fared worse than chance explains: it beat %(share)s %% of the others",
                values,
            )


def beyond_chance(seat: SeatFigures) -> bool:
    """Whether a seat fared better or worse than chance explains."""
    return seat.share_chance is not None and abs(seat.share - 0.5) > seat.share_chance


def listed(names: Sequence[str], most: int = MOST_NAMES) -> object:
    """The names, as a note may hold them: all, or the first and how many more there are."""
    if len(names) > most:
        return Note("", "%(names)s and %(more)s more", {"names": tuple(names[:most]), "more": len(names) - most})
    return tuple(names)
