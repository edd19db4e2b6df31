"""Knockout: who loses a tie is out, until one bot is left.

A tie is a table that plays two blocks for each deal asked for; whoever beats more seats is ahead. The final table sends
on its first only, every other table at least its better half, so that the field halves from round to round as in a
bracket and exactly one full table is left for the final. Where the cut falls between equals the tie is played again on
new deals, `MOST_REPLAYS` times at most, then the lot decides. Who has no table has a bye; those first who had the
fewest, so that nearly all byes fall into the first round. A withdrawn bot loses its tie. If withdrawals leave too few
for a table, those who went out last and did best come back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from arena.rating.notes import Note
from arena.tournament.formats.base import Format, PlanError, Rounds, check_options, check_tables
from arena.tournament.formats.scores import lots, scores
from arena.tournament.rounds import Lineup, Round, Setting, SettledBlock

MOST_REPLAYS = 8
_BLOCKS_A_TIE = 2

Tie = tuple[bytes, ...]


@dataclass(slots=True)
class _Cup:
    """Where a knockout stands: who is in, byes so far, who went out (the last first), ties still level."""

    alive: list[bytes]
    byes: Counter[bytes] = field(default_factory=Counter)
    out: list[bytes] = field(default_factory=list)
    ties: dict[Tie, list[SettledBlock]] = field(default_factory=dict)
    level: list[Tie] = field(default_factory=list)


def stage(field_size: int, seats: int) -> tuple[int, ...]:
    """How many each table of the next stage sends home, for a field of at least `seats`.

    The final sends home all but one. Before it the field is brought to the next smaller of seats, 2·seats, 4·seats, …,
    or as near as tables can that send home half of their bots at most.
    """
    if field_size == seats:
        return (seats - 1,)
    target = seats
    while target * 2 < field_size:
        target *= 2
    half = seats // 2
    leave = min(field_size - target, field_size // seats * half)
    tables = -(-leave // half)
    return tuple(leave // tables + (table < leave % tables) for table in range(tables))


def _check(setting: Setting) -> None:
    check_options(setting, ())
    check_tables(setting)
    owners = Counter(setting.owners[e.digest] for e in setting.entries if e.digest in setting.owners)
    for owner, bots in owners.items():
        if bots > 1:
            raise PlanError(
                f"in a knockout two bots of one owner could have to meet, and {owner} has {bots}: enter one of them"
            )


def _next_lineups(setting: Setting, rounds: Rounds) -> Sequence[Lineup]:
    cup = _cup(setting, rounds)
    ties = cup.level or _drawn(setting, cup)
    entries = {entry.digest: entry for entry in setting.entries}
    return [tuple(entries[bot] for bot in tie) for tie in ties for _ in range(_BLOCKS_A_TIE)]


def _drawn(setting: Setting, cup: _Cup) -> list[Tie]:
    """The tables of the next stage; none when it is over."""
    if len(cup.alive) < setting.seats or len(cup.alive) == 1:
        return []
    tables = len(stage(len(cup.alive), setting.seats))
    resting = len(cup.alive) - tables * setting.seats
    rest = set(sorted(cup.alive, key=lambda bot: (cup.byes[bot], cup.alive.index(bot)))[:resting])
    playing = [bot for bot in cup.alive if bot not in rest]
    # Dealt out one by one, so that those who come from one table do not meet again at once.
    return [tuple(playing[table::tables]) for table in range(tables)]


def _cup(setting: Setting, rounds: Rounds) -> _Cup:
    """Go through the rounds. Who was withdrawn and sat nowhere later counts as gone from its last table on."""
    lot = lots(setting.entries)
    cup = _Cup(sorted(lot, key=lot.__getitem__))
    gone, later = [setting.gone], set[bytes]()
    for one in reversed(rounds):
        gone.append(setting.gone - later)
        later.update(*(block.lineup for block in one))
    for one, gone_then in zip(rounds, reversed(gone), strict=False):
        _play_round(setting, cup, one, gone_then, lot)
    if not cup.level:
        _settle(setting, cup, setting.gone)
    return cup


def _play_round(setting: Setting, cup: _Cup, one: Round, gone: frozenset[bytes], lot: dict[bytes, int]) -> None:
    """Take in the blocks of one round; when no tie is level any more, the stage ends and its losers are out."""
    for block in one:
        cup.ties.setdefault(block.lineup, []).append(block)
    homeward = chain(stage(max(len(cup.alive), setting.seats), setting.seats), repeat(setting.seats // 2))
    cuts = (len(tie) - home for tie, home in zip(cup.ties, homeward, strict=False))
    results = [_result(setting, blocks, cut, gone, lot) for blocks, cut in zip(cup.ties.values(), cuts, strict=True)]
    cup.level = [tie for tie, result in zip(cup.ties, results, strict=True) if result is None]
    if cup.level:
        return
    beaten = {bot: rank for losers in results if losers for rank, bot in enumerate(losers)}
    resting = [bot for bot in cup.alive if not any(bot in tie for tie in cup.ties)]
    cup.byes.update(resting)
    cup.alive = [bot for bot in (*chain.from_iterable(cup.ties), *resting) if bot not in beaten]
    cup.out = [*sorted(beaten, key=lambda bot: (beaten[bot], lot[bot])), *cup.out]
    cup.ties = {}
    _settle(setting, cup, gone.difference(resting))


def _result(
    setting: Setting, blocks: list[SettledBlock], cut: int, gone: frozenset[bytes], lot: dict[bytes, int]
) -> Tie | None:
    """Who loses a tie of which `cut` bots stay, the best first; None when it has to be played again."""
    points = scores(blocks).points
    order = sorted(blocks[0].lineup, key=lambda bot: (-points[bot], lot[bot]))
    level = points[order[cut - 1]] == points[order[cut]]
    replays = len(blocks) // (_BLOCKS_A_TIE * setting.deals) - 1
    if level and replays < MOST_REPLAYS and not gone.intersection(order):
        return None
    if level or not all(block.results for block in blocks):
        order.sort(key=lambda bot: bot in gone)
    return tuple(order[cut:])


def _settle(setting: Setting, cup: _Cup, gone: Collection[bytes]) -> None:
    """Take out the `gone`; while a few are left who cannot fill a table, the best of the beaten come back."""
    if len(cup.alive) == 1:
        return
    cup.alive = [bot for bot in cup.alive if bot not in gone]
    missing = setting.seats - len(cup.alive)
    if len(cup.alive) > 1 and missing > 0:
        back = [bot for bot in cup.out if bot not in setting.gone][:missing]
        cup.out = [bot for bot in cup.out if bot not in back]
        cup.alive += back


def _most_blocks(setting: Setting) -> int:
    """All ties of all stages, each played again as often as can be."""
    bots, tables = len({entry.digest for entry in setting.entries}), 0
    while bots > 1:
        sent_home = stage(bots, setting.seats)
        tables += len(sent_home)
        bots -= sum(sent_home)
    return tables * setting.deals * _BLOCKS_A_TIE * (1 + MOST_REPLAYS)


def _tell(setting: Setting, rounds: Rounds) -> Note | None:
    alive = _cup(setting, rounds).alive
    labels = {entry.digest: f"{entry.name} {entry.version}" for entry in setting.entries}
    if len(alive) == 1:
        return Note("", "Champion: %(bot)s.", {"bot": labels[alive[0]]})
    if not rounds:
        return None
    return Note("", "Still in: %(bots)s.", {"bots": tuple(sorted(labels[bot] for bot in alive))})


KNOCKOUT = Format(
    name="knockout",
    about="who loses a tie is out, until one is left",
    dynamic=True,
    check=_check,
    next_lineups=_next_lineups,
    most_blocks=_most_blocks,
    tell=_tell,
)
