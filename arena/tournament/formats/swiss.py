"""Swiss: in every round those sit together who did equally well so far, and no two meet again where that can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import TypeAlias

import numpy as np

from arena.rating.notes import Figure, Note
from arena.tournament.entries import Entry
from arena.tournament.formats.base import Format, Rounds, check_options, check_tables, owner_numbers, whole_number
from arena.tournament.formats.matching import pair_up
from arena.tournament.formats.scores import Scores, lots, scores
from arena.tournament.formats.seating import seat_close
from arena.tournament.rounds import Lineup, Setting

Table: TypeAlias = tuple[bytes, ...]

_BYES_TRIED = 60
"""Choices of those who have a bye, tried before anybody has to meet again."""


def _check(setting: Setting) -> None:
    check_options(setting, {"rounds"})
    check_tables(setting)
    _rounds_wanted(setting)


def _rounds_wanted(setting: Setting) -> int:
    """As many rounds as asked for, or log₂ of the bots: then one at most has won all its games."""
    return whole_number(setting, "rounds", 1, 1_000) or max(1, (len(setting.entries) - 1).bit_length())


def _next_lineups(setting: Setting, rounds: Rounds) -> Sequence[Lineup]:
    bots = {entry.digest: entry for entry in setting.entries if entry.digest not in setting.gone}
    if len(rounds) >= _rounds_wanted(setting) or len(bots) < setting.seats:
        return ()
    sums = scores(chain.from_iterable(rounds))
    order = _standing(setting, sums, bots)
    for tables in range(len(order) // setting.seats, 0, -1):
        if found := _seated(setting, rounds, sums, order, tables):
            return [tuple(bots[digest] for digest in table) for table in found]
    return ()


def _standing(setting: Setting, sums: Scores, bots: dict[bytes, Entry]) -> list[bytes]:
    """The bots, best first: by the share of seats beaten, then by the strength of those met, then by lot."""
    lot = lots(setting.entries)
    return sorted(bots, key=lambda bot: (-sums.share(bot), -sums.strength_met(bot), lot[bot]))


def _seated(setting: Setting, rounds: Rounds, sums: Scores, order: list[bytes], tables: int) -> list[Table] | None:
    """So many tables, without one that sat before and with as few meetings again as can be; None if owners forbid."""
    byes = [*_byes(rounds, order, len(order) - tables * setting.seats)]
    return (_duels if setting.seats == 2 else _tables)(setting, rounds, sums, order, byes)


def _duels(
    setting: Setting, _rounds: Rounds, sums: Scores, order: list[bytes], byes: Sequence[frozenset[bytes]]
) -> list[Table] | None:
    """Tables of two: nobody meets again, or not more often than must be."""
    owner = _owners(setting)
    often = max((times for others in sums.met.values() for times in others.values()), default=0)
    for most, resting in product(range(often + 1), byes):
        bots = [bot for bot in order if bot not in resting]

        def may_meet(one: int, other: int, most: int = most, bots: list[bytes] = bots) -> bool:
            a, b = bots[one], bots[other]
            return sums.met[a][b] <= most and owner[a] != owner[b]

        if found := pair_up(len(bots), may_meet):
            return [(bots[one], bots[other]) for one, other in found]
    return None


def _tables(
    setting: Setting, rounds: Rounds, sums: Scores, order: list[bytes], byes: Sequence[frozenset[bytes]]
) -> list[Table] | None:
    """Larger tables: none that sat before, or as few as must be."""
    owner, played = _owners(setting), {block.lineup for block in chain.from_iterable(rounds)}
    best: tuple[int, list[Table]] | None = None
    for resting in byes:
        bots = [bot for bot in order if bot not in resting]
        met = np.array([[sums.met[one][other] for other in bots] for one in bots], dtype=np.float64)
        apart = np.array([[owner[one] == owner[other] for other in bots] for one in bots])

        def is_taken(table: list[int], bots: list[bytes] = bots) -> bool:
            return tuple(sorted(bots[place] for place in table)) in played

        if (found := seat_close(met, apart, setting.seats, is_taken)) and (best is None or found[1] < best[0]):
            best = found[1], [tuple(bots[place] for place in table) for table in found[0]]
        if best and best[0] == 0:
            break
    return best[1] if best else None


def _owners(setting: Setting) -> dict[bytes, int]:
    return dict(zip((e.digest for e in setting.entries), owner_numbers(setting, setting.entries), strict=True))


def _byes(rounds: Rounds, order: list[bytes], count: int) -> Iterator[frozenset[bytes]]:
    """Who has a bye: the last of those who had the fewest, then others of these."""
    seated = [{bot for block in one for bot in block.lineup} for one in rounds]
    had = Counter(bot for there in seated for bot in order if bot not in there)
    turn = sorted(order, key=lambda bot: (had[bot], -order.index(bot)))
    fewest = [bot for bot in turn[:count] if had[bot] < had[turn[count - 1]]] if count else []
    equals = [bot for bot in turn if count and had[bot] == had[turn[count - 1]]]
    for chosen in islice(combinations(equals, count - len(fewest)), _BYES_TRIED):
        yield frozenset([*fewest, *chosen])


def _most_blocks(setting: Setting) -> int:
    return setting.deals * _rounds_wanted(setting) * (len(setting.entries) // setting.seats)


def _tell(setting: Setting, rounds: Rounds) -> Note | None:
    if not any(block.results for block in chain.from_iterable(rounds)):
        return None
    bots = {entry.digest: entry for entry in setting.entries if entry.digest not in setting.gone}
    sums = scores(chain.from_iterable(rounds))
    best = [bots[digest] for digest in _standing(setting, sums, bots)[:1]]
    if not best:
        return None
    share = Figure(100 * sums.share(best[0].digest), 1)
    values = {"round": len(rounds), "rounds": _rounds_wanted(setting), "bot": f"{best[0].name} {best[0].version}"}
    return Note(
        "",
        "After round %(round)s of %(rounds)s: %(bot)s leads, with %(share)s %% of the seats it met beaten.",
        {**values, "share": share},
    )


SWISS = Format(
    name="swiss",
    about="a few rounds, in each of which equals meet and nobody twice",
    dynamic=True,
    check=_check,
    next_lineups=_next_lineups,
    most_blocks=_most_blocks,
    tell=_tell,
)
