"""The plan of a tournament, round by round: the first when it opens, each further one from the results of those before.

Equal results give an equal plan, in whatever order they came and however often the tournament was resumed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import cycle, islice

from arena.tournament.blocks import SEED_BYTES, base_order, rotations
from arena.tournament.formats import FORMATS, next_blocks
from arena.tournament.ports import PlannedBlock, Tournament
from arena.tournament.rounds import Round, Setting


def setting(tournament: Tournament, gone: frozenset[bytes] = frozenset()) -> Setting:
    """What the format plans for; `gone` are the digests of bots that were withdrawn."""
    return Setting(tournament.entries, tournament.seats, tournament.deals, tournament.options, tournament.owners, gone)


def grows(tournament: Tournament) -> bool:
    """Whether the plan goes on after its first round, as its format decides from the results."""
    return FORMATS[tournament.format].dynamic


def next_round(
    tournament: Tournament, rounds: Sequence[Round] = (), gone: frozenset[bytes] = frozenset()
) -> Collection[PlannedBlock]:
    """The blocks of the round after `rounds`, all of which are settled; none when the tournament is over.

    Raises PlanError for a plan that cannot be made, VariantError for rules that this number of seats cannot play by.
    """
    if rounds and not grows(tournament):
        return ()
    return next_blocks(tournament.format, setting(tournament, gone), rounds, tournament.variant, tournament.limits)


def matches_a_block(tournament: Tournament) -> int:
    """As many as a lineup has different seatings: the seats of a table, but 2 for two pairs of clones."""
    lineup = (one.digest for one in islice(cycle(tournament.entries), tournament.seats))
    return len(rotations(base_order(lineup, 0, bytes(SEED_BYTES))))
