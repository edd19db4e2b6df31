from collections import Counter
from itertools import chain
from math import comb
from typing import Any

import pytest

from arena.tournament.formats import FORMATS, PlanError, checked_format
from arena.tournament.rounds import Lineup, Setting
from tests.tournament.formats.counting import uneven_appearances
from tests.tournament.formats.settled import entries, setting

GAUNTLET = FORMATS["gauntlet"]
FIRST, SECOND = (bot.digest.hex() for bot in entries(2))


def lineups(wanted: Setting) -> list[Lineup]:
    checked_format("gauntlet", wanted)
    return [*GAUNTLET.next_lineups(wanted, ())]


def test_in_duels_the_challenger_meets_everybody_once_and_nobody_else_meets() -> None:
    challenger, *others = entries(6)
    assert lineups(setting(6, 2, challenger=FIRST)) == [(challenger, other) for other in others]


def test_at_larger_tables_every_lineup_holds_the_challenger() -> None:
    drawn = lineups(setting(7, 4, challenger=FIRST))
    assert len(set(drawn)) == len(drawn) == comb(6, 3)
    assert all(lineup[0] == entries(7)[0] for lineup in drawn)


def test_of_several_challengers_one_sits_at_each_table() -> None:
    drawn = lineups(setting(6, 3, challenger=[FIRST, SECOND]))
    assert len(drawn) == 2 * comb(4, 2)
    challengers = set(entries(2))
    assert all(len(challengers.intersection(lineup)) == 1 for lineup in drawn)


def test_too_many_lineups_are_drawn_in_balance() -> None:
    wanted = setting(41, 4, challenger=FIRST, lineups=100)
    drawn = lineups(wanted)
    assert Counter(chain.from_iterable(drawn))[entries(1)[0]] == 100
    assert uneven_appearances(entries(41)[1:], [lineup[1:] for lineup in drawn]) <= 1
    assert GAUNTLET.most_blocks(wanted) == 100


def test_a_challenger_never_meets_its_owners_other_bots() -> None:
    wanted = setting(5, 2, challenger=FIRST, owners={0: "ann", 3: "ann"})
    assert [lineup[1].name for lineup in lineups(wanted)] == ["bot0001", "bot0002", "bot0004"]


@pytest.mark.parametrize(
    ("bots", "seats", "challenger", "words"),
    [
        (4, 2, None, "a gauntlet needs a challenger"),
        (4, 2, "00", "no bot that entered is the challenger '00'"),
        (4, 2, [[]], "no bot that entered is the challenger"),
        (3, 3, [FIRST, SECOND], "bot0000 1 needs 2 others at its table"),
    ],
)
def test_a_gauntlet_that_cannot_be_is_refused(bots: int, seats: int, challenger: object, words: str) -> None:
    options: dict[str, Any] = {} if challenger is None else {"challenger": challenger}
    with pytest.raises(PlanError, match=words):
        checked_format("gauntlet", setting(bots, seats, **options))
