"""With whom players learn: with their like and with strangers, of whom nothing is noted."""

import numpy as np

from arena.analysis.hands import hand_tables
from arena.analysis.learning import Trying, company, dealt, take_notes
from arena.analysis.notes import Notes
from arena.analysis.styles import paced_style, planner_style
from arena.game.cards import parse_cards
from tests.sample_bots.loading import load

TABLES = hand_tables(False)


def trying(seed: int = 1) -> Trying:
    return Trying(paced_style(False, 4), TABLES, np.random.default_rng(seed))


def test_somebody_learns_at_every_table_and_some_of_the_others_are_strangers() -> None:
    player, chance = trying(), np.random.default_rng(2)
    learners = [company(player, 4, chance).count(player) for _ in range(500)]
    assert set(learners) == {1, 2, 3, 4}
    assert 2.6 < np.mean(learners) < 3.0


def test_what_strangers_do_is_not_noted() -> None:
    def noted(learners: int) -> float:
        notes = Notes.empty(1)
        players = [trying() if seat < learners else planner_style(False) for seat in range(4)]
        take_notes(notes, np.array([]), players, dealt(4, 300, np.random.default_rng(3)))
        return float(notes.counts.sum())

    assert noted(0) == 0
    assert 0 < noted(1) < noted(4) / 2


def test_a_stranger_judges_hands_as_the_planner_among_the_sample_bots_does() -> None:
    planner, costs = load("planner"), planner_style(False).costs
    for hand in ("Ac", "Kc Kd", "4c 5d 6h Ks", "7s 7h 7d 7c Kd", "9c Tc Jd Qh Ks", "2c 9d 9h 5s Jc"):
        cards = parse_cards(hand)
        ranks = bytes(sorted(card % 13 for card in cards))
        assert costs[TABLES.number_of(cards)] == planner.cost(ranks, False)
