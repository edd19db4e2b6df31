import numpy as np

from arena.analysis.beliefs import Seen, holdings
from arena.analysis.counting import count_cards
from arena.analysis.hands import hand_tables
from arena.analysis.reading import OFTEN, reread
from arena.analysis.styles import paced_style
from arena.analysis.worlds import Worlds, sample_worlds
from arena.game.view import observe
from tests.game.tables import do, lay, play

TABLES = hand_tables(False)
KING = 12


def before_and_after(discard: str) -> tuple[Worlds, Worlds]:
    """Worlds after an opponent's play, as they are drawn first, and as its play is read."""
    table = lay("Kc 9d 7d 3c", "Qh 8s 2c Ah", upcard="Th")
    do(table, play(discard))
    view = observe(table, 1)
    counts = count_cards(view)
    held = holdings(view, counts)
    drawn = sample_worlds(TABLES, held, counts, 500 * OFTEN, np.random.default_rng(3))
    return drawn, reread(paced_style(False, 2), held, drawn, 500, np.random.default_rng(4))


def test_who_threw_one_king_has_probably_no_other() -> None:
    drawn, read = before_and_after("Kc")
    kings = [(TABLES.counts[worlds.kept, KING] > 0).mean() for worlds in (drawn, read)]
    assert len(read.hands) == 500
    assert kings[1] < 0.7 * kings[0]


def test_who_has_not_played_yet_is_not_read() -> None:
    view = observe(lay("Kc 9d 7d 3c", "Qh 8s 2c Ah", upcard="Th"), 0)
    counts = count_cards(view)
    held = holdings(view, counts)
    drawn = sample_worlds(TABLES, held, counts, 4, np.random.default_rng(3))
    read = reread(paced_style(False, 2), held, drawn, 4, np.random.default_rng(4))
    assert sorted(read.hands.ravel()) == sorted(drawn.hands.ravel())


def test_who_did_not_declare_what_would_have_held_has_probably_had_more() -> None:
    table = lay("Kc 9d", "Qh 8s 2c Ah", upcard="Th", lap=1)
    do(table, play("Kc"))
    do(table, play("Qh"))
    do(table, play("9d"))
    view = observe(table, 1)
    counts = count_cards(view)
    held = holdings(view, counts)
    assert held[0].turns == 2
    assert held[0].faced == (Seen(4, 1, 1),)
    drawn = sample_worlds(TABLES, held, counts, 500 * OFTEN, np.random.default_rng(3))
    low = []
    for faced in (Seen(1, 0, 5), Seen(4, 1, 1)):
        seen = (held[0]._replace(faced=(faced,)),)
        read = reread(paced_style(False, 2), seen, drawn, 500, np.random.default_rng(4))
        low.append((TABLES.total[read.kept] <= 4).mean())
    assert low[1] < 0.95 * low[0]
