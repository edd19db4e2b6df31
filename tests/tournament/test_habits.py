from collections import Counter
from dataclasses import replace

from arena.game.actions import Declare, Play
from arena.game.cards import parse_card
from arena.game.events import DealEnd, Ending
from arena.game.variant import Variant
from arena.match.faults import Fault, FaultKind
from arena.match.limits import Limits
from arena.match.record import DealRecord, MatchRecord, TurnRecord
from arena.tournament.formats import plan
from arena.tournament.habits import FAULTS, Habit, HabitCount, habits_of
from tests.tournament.playing import Manners, bots, play_block, tournament

HAND = bytes(range(5))


def cards(text: str) -> bytes:
    return bytes(map(parse_card, text.split()))


def match(*deals: DealRecord) -> MatchRecord:
    seats = (b"a" * 32, b"b" * 32)
    return MatchRecord(b"x" * 32, 0, Variant(), Limits(), seats, b"s" * 32, deals, (1, 2), (0, 9), Ending.DEAL_CAP)


def deal(*turns: TurnRecord, totals: tuple[int, int] = (10, 16), points: tuple[int, int] = (0, 6)) -> DealRecord:
    return DealRecord(0, (HAND, HAND), None, turns, DealEnd.DECLARED, totals, points)


def closed(seat: int, discard: str, micros: int = 10) -> TurnRecord:
    return TurnRecord(seat, Play(cards(discard), None), parse_card("Kd"), None, micros)


def test_takes_are_counted_by_what_was_discarded() -> None:
    taken = TurnRecord(1, Play(cards("7h 7s"), parse_card("Ac")), parse_card("Ac"), None, 10)
    first, second = habits_of(match(deal(closed(0, "4s 5h 6d"), taken)))
    assert HabitCount(Habit.CLOSED, 3, 1) in first
    assert HabitCount(Habit.OPEN, 2, 1) in second


def test_a_declaration_is_counted_by_its_total_and_by_whether_it_held() -> None:
    held = deal(closed(0, "Ks"), closed(1, "Ks"), TurnRecord(0, Declare(), None, None, 10))
    false = replace(held, totals=(10, 8), points=(22, 0))
    first, second = habits_of(match(held, false))
    assert {one for one in first if one.habit in (Habit.HELD, Habit.FALSE)} == {
        HabitCount(Habit.HELD, 10, 1),
        HabitCount(Habit.FALSE, 10, 1),
    }
    assert HabitCount(Habit.CHANCE, 0, 2) in first, "nobody may declare on the first turn of a deal"
    assert HabitCount(Habit.DEAL, 0, 2) in first
    assert all(one.habit is not Habit.CHANCE for one in second)


def test_what_the_arena_played_for_a_bot_is_no_habit_but_took_its_time() -> None:
    fault = Fault(FaultKind.TIMEOUT, "", 1)
    substituted = TurnRecord(0, Play(cards("Ks"), None), parse_card("Kd"), fault, 500_001)
    forfeit = TurnRecord(0, None, None, Fault(FaultKind.CRASHED, "", 2), 9)
    first, _ = habits_of(match(deal(substituted, closed(1, "Ks"), forfeit)))
    assert set(first) == {
        HabitCount(Habit.DEAL, 0, 1),
        HabitCount(Habit.FAULT, FAULTS.index(FaultKind.TIMEOUT), 1),
        HabitCount(Habit.FAULT, FAULTS.index(FaultKind.CRASHED), 1),
        HabitCount(Habit.TIME, 10, 1),
        HabitCount(Habit.TIME, 1_000_000, 1),
    }


def test_a_time_is_counted_with_the_bound_that_it_does_not_exceed() -> None:
    turns = (closed(0, "Ks", micros) for micros in (0, 10, 11, 20, 21, 50_000_000, 3_000_000_000))
    first, _ = habits_of(match(deal(*turns)))
    assert [one[1:] for one in first if one.habit is Habit.TIME] == [(10, 2), (20, 2), (50, 1), (50_000_000, 2)]


def test_the_habits_of_played_matches_add_up_to_their_turns() -> None:
    cup = tournament(bots(3), 3, Variant(threshold=25))
    block = next(iter(plan(cup.format, cup.entries, cup.seats, cup.deals, cup.variant, cup.limits, cup.options)))
    for record in play_block(cup, block, Manners(fault_rate=0.02)):
        by_habit: Counter[Habit] = Counter()
        for seat in habits_of(record):
            for habit, _, n in seat:
                by_habit[habit] += n
        turns = list(record.turns())
        own = [turn for turn in turns if turn.fault is None]
        assert by_habit[Habit.TIME] == len(turns)
        assert sum(by_habit[one] for one in (Habit.CLOSED, Habit.OPEN, Habit.HELD, Habit.FALSE)) == len(own)
        assert by_habit[Habit.HELD] + by_habit[Habit.FALSE] == sum(isinstance(turn.action, Declare) for turn in own)
        assert by_habit[Habit.CHANCE] < by_habit[Habit.TIME]
