"""Deals, laps, starters, forfeits and showdowns: how one turn leads to the next, up to the end of the match."""

import pytest

from arena.game.actions import Declare
from arena.game.cards import card_names, parse_cards
from arena.game.chance import NoChance, SeededChance
from arena.game.events import DealEnd, DealEnded, Dealt, Ending, Events, Forfeited, MatchEnded
from arena.game.rules import decide, evolve, new_match, start, substitute
from arena.game.state import State
from arena.game.variant import Finish, Variant
from tests.game.tables import SEED, Scripted, declare_with, do, forfeit, lay, lay_totals

SHORT = Variant(lap_cap=3)


def go_on(table: State, turns: int = 1) -> None:
    for _ in range(turns):
        do(table, substitute(table))


def test_the_live_seats_take_all_their_cards_at_once_from_their_own_orders() -> None:
    orders = {
        (0, "0", 0): parse_cards("As 2s 3s"),
        (0, "1", 0): parse_cards("As 4s 2s 5s 6s"),
        (0, "table", 0): parse_cards("4s As 7s"),
    }
    state = State(Variant(hand_size=3), 2, Scripted(orders))
    (dealt,) = start(state)
    assert isinstance(dealt, Dealt)
    assert (dealt.deal, dealt.starter) == (0, 0)
    assert [card_names(hand or b"") for hand in dealt.hands] == ["As 2s 3s", "4s 5s 6s"]
    assert dealt.upcard == parse_cards("7s")[0]


def test_dealing_goes_clockwise_from_the_starter() -> None:
    orders = {(1, str(seat), 0): parse_cards("As 2s 3s") for seat in range(3)}
    table = lay("Kc", "Qc", "Jc", variant=Variant(hand_size=1), chance=Scripted(orders))
    declare_with(table, 0, (1, 2, 3))
    assert [card_names(hand or b"") for hand in table.hands] == ["3s", "As", "2s"]


def test_the_first_deal_of_a_seed_is_known() -> None:
    table = new_match(Variant(), 2, SeededChance(SEED, 1))
    assert [card_names(hand or b"") for hand in table.hands] == ["7h 6s 8h 2d 3c", "5d 6c Ad 4d Kh"]
    assert card_names(table.open) == "9h"
    assert table.dealt == start(table)[0]


def test_seat_0_starts_the_first_deal_and_then_the_next_live_seat_clockwise() -> None:
    table = lay_totals((1, 1, 1, 1), variant=Variant(threshold=25))
    starters = [table.starter]
    declare_with(table, 0, (5, 5, 40, 5))
    starters.append(table.starter)
    for _ in range(4):
        declare_with(table, 0, (5, 5, 5))
        starters.append(table.starter)
    assert table.knocked_out == [None, None, 0, None]
    assert starters == [0, 1, 3, 0, 1, 3]


def test_a_starter_that_is_knocked_out_is_followed_by_its_next_live_neighbour() -> None:
    table = lay_totals((5, 5, 5, 5), variant=Variant(threshold=25))
    declare_with(table, 3, (40, 40, 5, 5))
    assert table.starter == 2


def test_turns_go_clockwise_and_skip_who_is_out() -> None:
    table = lay_totals((5, 5, 5, 5))
    declare_with(table, 3, (5, 70, 5, 5))
    seats = []
    for _ in range(5):
        seats.append(table.seat)
        go_on(table)
    assert seats == [2, 3, 0, 2, 3]
    assert table.dealt is not None
    assert [hand is None for hand in table.dealt.hands] == [False, True, False, False]


def test_turns_are_counted_over_the_whole_match() -> None:
    table = lay_totals((5, 5))
    go_on(table, 2)
    do(table, Declare())
    assert table.turn == 3
    go_on(table, 2)
    assert table.turn == 5


def test_a_lap_is_complete_when_every_seat_has_had_its_turn() -> None:
    table = new_match(Variant(), 3, SeededChance(SEED, 1))
    laps = []
    for _ in range(7):
        laps.append(table.lap)
        go_on(table)
    assert laps == [0, 0, 0, 1, 1, 1, 2]


def test_the_play_that_completes_the_last_lap_leads_to_a_showdown() -> None:
    table = new_match(SHORT, 3, SeededChance(SEED, 1))
    go_on(table, 8)
    assert table.deal == 0
    events = do(table, substitute(table))
    assert isinstance(events[1], DealEnded)
    assert events[1].end is DealEnd.SHOWDOWN
    lowest = min(total for total in events[1].totals if total is not None)
    assert events[1].points == tuple(total - lowest for total in events[1].totals if total is not None)
    assert isinstance(events[2], Dealt)
    assert (table.deal, table.lap) == (1, 0)


def test_the_showdown_counts_the_hand_after_the_last_play() -> None:
    table = lay("Kc Kd", "Kh Ks", upcard="Ac", variant=Variant(lap_cap=2), lap=1)
    table.seat = 1
    events = do(table, substitute(table))
    assert events[1] == DealEnded(DealEnd.SHOWDOWN, (20, 12), (8, 0))
    assert table.past_deals[0].hands == (parse_cards("Kc Kd"), parse_cards("2c Kh"))
    assert table.past_deals[0].declarer is None


def test_after_a_forfeit_the_open_cards_stay_open_and_the_hand_is_dead() -> None:
    table = lay("Kc 2d", "3h 4s", "5c 6c", upcard="Ac")
    assert forfeit(table) == (Forfeited(0),)
    assert card_names(table.open) == "Ac"
    assert table.dead == parse_cards("Kc 2d")
    assert (table.hands[0], table.seat, table.turn) == (None, 1, 1)


def test_a_forfeited_hand_may_come_back_by_a_refill() -> None:
    table = lay("Kc 2d", "3h 4s", "5c 6c", upcard="Ac")
    table.closed = b""
    forfeit(table)
    events = do(table, substitute(table))
    assert sorted(events[0].refilled) == sorted(parse_cards("Kc 2d"))  # type: ignore[union-attr]


def test_a_forfeit_counts_as_the_turn_of_its_lap() -> None:
    table = new_match(Variant(), 3, SeededChance(SEED, 1))
    go_on(table, 2)
    forfeit(table)
    assert (table.lap, table.seat) == (1, 0)
    go_on(table, 2)
    assert (table.lap, table.seat) == (2, 0)


def test_when_the_starter_forfeits_on_its_first_turn_the_others_still_have_theirs() -> None:
    table = new_match(Variant(), 3, SeededChance(SEED, 1))
    forfeit(table)
    seen = []
    for _ in range(4):
        seen.append((table.seat, table.lap, table.may_declare))
        go_on(table)
    assert seen == [(1, 0, False), (2, 0, False), (1, 1, True), (2, 1, True)]


def test_a_forfeit_that_completes_the_last_lap_leads_to_a_showdown_of_the_others() -> None:
    table = lay("2c", "3c", "4c", variant=Variant(lap_cap=2), lap=1)
    table.seat = 2
    events = forfeit(table)
    assert events[1] == DealEnded(DealEnd.SHOWDOWN, (2, 3, None), (0, 1, None))
    assert table.past_deals[0].hands == (parse_cards("2c"), parse_cards("3c"), None)
    assert isinstance(events[2], Dealt)
    assert events[2].hands[2] is None
    assert events[2].starter == 1


def test_a_starter_that_forfeited_is_followed_by_its_next_live_neighbour() -> None:
    table = lay_totals((5, 5, 5))
    forfeit(table)
    declare_with(table, 2, (5, 5))
    assert table.starter == 1
    declare_with(table, 2, (5, 5))
    assert table.starter == 2
    declare_with(table, 2, (5, 5))
    assert table.starter == 1


def test_when_a_forfeit_leaves_one_seat_the_deal_scores_nobody() -> None:
    table = lay_totals((5, 9, 7), points=[30, 10, 20])
    forfeit(table)
    events = forfeit(table)
    nothing = (None, None, None)
    assert events == (
        Forfeited(1),
        DealEnded(DealEnd.FORFEIT, nothing, nothing),
        MatchEnded(Ending.FORFEIT, (2, 2, 1), (30, 10, 20)),
    )
    assert table.points == [30, 10, 20]
    assert table.past_deals[-1].hands == nothing


def test_a_forfeit_of_the_last_neighbour_at_the_lap_cap_ends_the_match_and_not_in_a_showdown() -> None:
    table = lay("2c", "3c", variant=Variant(lap_cap=2), lap=1)
    table.seat = 1
    assert [type(event).__name__ for event in forfeit(table)] == ["Forfeited", "DealEnded", "MatchEnded"]
    assert table.outcome is not None
    assert table.outcome.ending is Ending.FORFEIT


def test_a_forfeit_is_no_knock_out_and_never_ends_a_first_out_match() -> None:
    table = lay_totals((5, 5, 5), variant=Variant(finish=Finish.FIRST_OUT, threshold=25))
    assert forfeit(table) == (Forfeited(0),)
    assert len(declare_with(table, 1, (5, 6))) == 3
    assert table.outcome is None
    assert table.knocked_out == [None, None, None]
    declare_with(table, 1, (5, 60))
    assert table.outcome == MatchEnded(Ending.FIRST_OUT, (3, 1, 2), (0, 0, 56))


def test_forfeited_seats_stand_behind_those_knocked_out_before() -> None:
    table = lay_totals((5, 5, 5, 5), variant=Variant(threshold=25))
    declare_with(table, 0, (5, 5, 5, 60))
    forfeit(table)
    forfeit(table)
    assert table.outcome is not None
    assert table.outcome.places == (1, 3, 3, 2)


def test_the_draws_of_a_seat_do_not_depend_on_what_the_others_took() -> None:
    apart = []
    for others_take_open in (False, True):
        table = new_match(Variant(), 2, SeededChance(SEED, 1))
        got = []
        for _ in range(3):
            got.append(do(table, substitute(table))[0].card)  # type: ignore[union-attr]
            play = substitute(table)
            do(table, play._replace(take=table.open[0]) if others_take_open else play)
        apart.append(got)
    assert apart[0] == apart[1]


def test_a_copy_is_independent_in_both_directions() -> None:
    table = new_match(Variant(), 3, SeededChance(SEED, 1))
    go_on(table, 4)
    twin = table.copy()
    before = table.copy()
    assert twin == table
    forfeit(twin)
    go_on(twin, 5)
    assert table == before
    assert twin != table


def test_recorded_events_lead_to_the_same_state() -> None:
    table = new_match(SHORT, 3, SeededChance(SEED, 1))
    assert table.dealt is not None
    log: list[Events] = [(table.dealt,)]
    while table.outcome is None:
        events = decide(table, substitute(table))
        evolve(table, events)
        log.append(events)
    replayed = State(SHORT, 3, NoChance())
    for events in log:
        evolve(replayed, events)
    assert replayed == table


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_number_of_seats_plays_to_the_end(seats: int) -> None:
    decks = 1 if seats <= 8 else 2
    table = new_match(Variant(lap_cap=2, decks=decks), seats, SeededChance(SEED, decks))
    while table.outcome is None:
        go_on(table)
    assert table.outcome.ending is Ending.LAST_STANDING
    assert 1 in table.outcome.places
