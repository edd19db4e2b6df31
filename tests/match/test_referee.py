"""How many tables are asked, judged and kept apart."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from arena.game.actions import Action, Declare, Play
from arena.game.discards import legal_discards
from arena.game.variant import Variant
from arena.match.faults import FaultKind
from arena.match.limits import Limits
from arena.match.player import Answer, CallResult, Question
from arena.match.record import MatchRecord
from arena.match.referee import Abandoned, Finished
from arena.match.table import Chair, Match
from tests.match.players import (
    BOTS,
    SHORT,
    Room,
    Scripted,
    answer,
    answered,
    failed,
    faults_of,
    greedy,
    match,
    only,
    play,
    records,
    referee,
    room_with,
    untimed,
)


def test_all_matches_are_played_to_their_end() -> None:
    matches = [match(block, rotation) for rotation in range(3) for block in range(5)]
    ends = play(Room(), matches, tables=4)
    assert {(end.match.block_id, end.match.rotation) for end in ends} == {(m.block_id, m.rotation) for m in matches}
    assert all(len(record.deals) == 3 for record in records(ends))


@pytest.mark.parametrize(("tables", "calls", "max_batch"), [(1, 1, 1), (3, 1, 7), (64, 8, 64), (15, 2, 2)])
def test_results_do_not_depend_on_how_many_tables_calls_or_turns_travel_together(
    tables: int, calls: int, max_batch: int
) -> None:
    matches = [match(block, rotation) for rotation in range(3) for block in range(5)]
    expected = untimed(records(play(Room(), matches, tables=1, calls=1)))
    room = Room(lambda _: Scripted(max_batch=max_batch))
    assert untimed(records(play(room, matches, tables=tables, calls=calls))) == expected


def test_bots_that_play_alike_get_what_the_cards_give_whoever_sits_where() -> None:
    found = untimed(records(play(Room(), [match(0, rotation) for rotation in range(3)])))
    assert len({record.seats for record in found}) == 3
    assert len({(record.points, record.places, record.deals) for record in found}) == 1


def test_the_cards_of_a_deal_do_not_depend_on_how_bots_play() -> None:
    def played(seed: int) -> list[MatchRecord]:
        rng = random.Random(seed)

        def choose(question: Question) -> Action:
            hand, seen = question.observation.hand, question.observation.public
            return Declare() if seen.may_declare else Play(rng.choice(legal_discards(hand, seen.variant)), None)

        room = Room(lambda _: Scripted(lambda questions: answered(questions, choose)))
        ends = play(room, [match(block) for block in range(5)])
        return [end.record for end in sorted(ends, key=lambda end: end.match.block_id) if isinstance(end, Finished)]

    one, other = played(1), played(2)
    assert [len(record.deals) for record in one] == [len(record.deals) for record in other] == [3] * 5
    for mine, its in zip(one, other, strict=True):
        assert mine.deals != its.deals
        assert [deal.upcard for deal in mine.deals] == [deal.upcard for deal in its.deals]
        assert mine.deals[0].hands == its.deals[0].hands


def test_a_chair_never_sits_at_two_tables_of_a_block() -> None:
    matches = [match(block, rotation) for rotation in range(3) for block in range(5)]
    room = Room()
    ends = play(room, matches)
    block_of = {n: end.match.block_id for end in ends if isinstance(end, Finished) for n in end.numbers}
    assert len(room.players) == 9
    for player in room.players.values():
        tables = {question.table for call in player.calls for question in call}
        blocks = [block_of[table] for table in tables]
        assert len(blocks) == len(set(blocks)) == 5


def test_a_batch_is_ordered_by_the_random_numbers_of_its_tables() -> None:
    room = Room()
    draw = random.Random(7)
    judge = referee(room)
    judge._draw = lambda: draw.getrandbits(64)
    list(judge.play([match(block) for block in range(16)]))
    batches = [[q.table for q in call] for player in room.players.values() for call in player.calls]
    assert max(map(len, batches)) > 4
    assert all(batch == sorted(batch) for batch in batches)


def test_each_seat_of_each_match_is_asked_under_its_own_number() -> None:
    ends = play(Room(), [match(block, rotation) for rotation in range(3) for block in range(4)])
    numbers = [number for end in ends if isinstance(end, Finished) for number in end.numbers]
    assert len(set(numbers)) == len(numbers) == 36


def test_a_player_has_at_most_one_call_in_flight_and_a_slow_one_delays_only_its_own_tables() -> None:
    slow = Scripted(later=[])
    room = Room(lambda chair: slow if chair.bot == BOTS[2] else Scripted())
    with_slow, without = match(0, seats=3), match(1, seats=2)
    ends = referee(room).play([with_slow, match(2, seats=3), without])
    assert next(ends).match == without
    assert len(slow.calls) == 1
    released, slow.later = slow.later or [], None
    for release in released:
        release()
    assert len(list(ends)) == 2


def test_a_fault_is_a_strike_the_arena_plays_on_and_the_third_strike_forfeits() -> None:
    record = only(play(room_with(BOTS[0], lambda _: failed(FaultKind.REFUSED, "no")), [match(0)]))
    turns = [turn for turn in record.turns() if turn.seat == 0]
    assert faults_of(record, BOTS[0]) == [(FaultKind.REFUSED, "no", strike) for strike in (1, 2, 3)]
    assert [turn.action is None for turn in turns] == [False, False, True]
    assert record.places[0] == 3


def test_one_allowed_strike_forfeits_at_once() -> None:
    record = only(play(room_with(BOTS[1], lambda _: failed(FaultKind.REFUSED)), [match(0, strikes=1)]))
    assert [turn.action for turn in record.turns() if turn.seat == 1] == [None]


def test_a_call_of_many_turns_that_fails_as_a_whole_strikes_nobody() -> None:
    def reply(questions: Sequence[Question]) -> CallResult:
        return failed(FaultKind.CRASHED) if len(questions) > 1 else answered(questions)

    room = room_with(BOTS[0], reply)
    ends = play(room, [match(block) for block in range(8)])
    assert [fault for record in records(ends) for fault in faults_of(record, BOTS[0])] == []
    (player,) = room.of(BOTS[0])
    assert any(len(call) > 1 for call in player.calls)


def test_after_a_failed_call_of_many_turns_only_what_fails_alone_is_a_fault() -> None:
    poison = match(3).block_id

    def reply(questions: Sequence[Question]) -> CallResult:
        bad = any(question.choice_seed in seeds for question in questions)
        return failed(FaultKind.CRASHED) if bad else answered(questions)

    seeds: set[bytes] = set()
    room = room_with(BOTS[0], reply)
    judge = referee(room)
    list(judge.play([match(3)]))  # learn how the poisoned match is asked
    seeds.update(q.choice_seed for call in room.of(BOTS[0])[0].calls for q in call)
    ends = play(room_with(BOTS[0], reply), [match(block) for block in range(8)])
    for record in records(ends):
        assert len(faults_of(record, BOTS[0])) == (3 if record.block_id == poison else 0)


def mangle(change: Callable[[Answer, Question], list[Answer]]) -> Callable[[Sequence[Question]], CallResult]:
    def reply(questions: Sequence[Question]) -> CallResult:
        answers = [a for q in questions for a in change(answer(q, greedy(q)), q)]
        return CallResult(tuple(answers), None, 0.001)

    return reply


def foreign(question: Question) -> Action:
    return Play(bytes(card for card in range(52) if card not in question.observation.hand)[:1], None)


@pytest.mark.parametrize(
    ("change", "kind", "reason"),
    [
        (lambda a, q: [], FaultKind.BAD_REPLY, "NO_ANSWER"),
        (lambda a, q: [a, a], FaultKind.BAD_REPLY, "TWO_ANSWERS"),
        (lambda a, q: [a._replace(table=a.table + 1)], FaultKind.BAD_REPLY, "NO_ANSWER"),
        (lambda a, q: [a._replace(action=None, problem="NO_ACTION")], FaultKind.BAD_REPLY, "NO_ACTION"),
        (lambda a, q: [a._replace(turn=a.turn + 1)], FaultKind.STALE_TURN, None),
        (lambda a, q: [a._replace(action=None, problem="X", turn=a.turn + 1)], FaultKind.BAD_REPLY, "X"),
        (lambda a, q: [a._replace(action=foreign(q))], FaultKind.ILLEGAL_ACTION, "CARD_NOT_HELD"),
        (lambda a, q: [a._replace(action=Play(b"", None))], FaultKind.ILLEGAL_ACTION, "EMPTY_DISCARD"),
        (lambda a, q: [a._replace(turn=a.turn - 1, action=foreign(q))], FaultKind.STALE_TURN, None),
    ],
)
def test_the_first_thing_that_is_wrong_is_the_fault(
    change: Callable[[Answer, Question], list[Answer]], kind: FaultKind, reason: str | None
) -> None:
    record = only(play(room_with(BOTS[1], mangle(change)), [match(0)]))
    seen = faults_of(record, BOTS[1])
    assert [fault[0] for fault in seen] == [kind] * 3
    assert reason is None or {fault[1] for fault in seen} == {reason}


def test_a_reply_that_lacks_one_table_is_a_fault_of_that_table_alone() -> None:
    def reply(questions: Sequence[Question]) -> CallResult:
        lost = [q for q in questions if q.table == victim]
        return answered([q for q in questions if q not in lost])

    victim = 1  # the first number drawn: seat 0 of the first match
    ends = play(room_with(BOTS[0], reply), [match(block) for block in range(8)])
    assert sorted(len(faults_of(record, BOTS[0])) for record in records(ends)) == [0] * 7 + [3]


def test_answers_in_any_order_reach_their_tables() -> None:
    def reply(questions: Sequence[Question]) -> CallResult:
        return answered(questions)._replace(answers=tuple(reversed(answered(questions).answers)))

    matches = [match(block) for block in range(8)]
    assert untimed(records(play(room_with(BOTS[0], reply), matches))) == untimed(records(play(Room(), matches)))


def test_a_bot_that_does_not_start_twice_in_a_row_is_given_up_and_the_others_play_on() -> None:
    room = room_with(BOTS[2], lambda _: failed(FaultKind.NOT_STARTED, "exited with status 1", 0.0))
    ends = play(room, [match(0), match(1, seats=2), match(2), match(3)], tables=3)
    lost = [end for end in ends if isinstance(end, Abandoned)]
    assert {(end.bot, end.reason) for end in lost} == {(BOTS[2], "exited with status 1")}
    assert [end.match.block_id[0] for end in lost] == [0, 2, 3]
    assert [end.match.block_id[0] for end in ends if isinstance(end, Finished)] == [1]


def test_a_restart_that_fails_once_is_a_strike_and_no_more() -> None:
    script = iter(["answer", "fail"])

    def reply(questions: Sequence[Question]) -> CallResult:
        fail = next(script, "answer") == "fail"
        return failed(FaultKind.NOT_STARTED, "slow", 0.0) if fail else answered(questions)

    record = only(play(room_with(BOTS[0], reply), [match(0)]))
    assert faults_of(record, BOTS[0]) == [(FaultKind.NOT_STARTED, "slow", 1)]


def test_the_chair_of_a_single_match_is_left_when_the_match_ends() -> None:
    room = Room()
    single = match(0)
    chairs = tuple(Chair(chair.bot, 0, 0, b"0") for chair in single.chairs[:1]) + single.chairs[1:]
    list(referee(room).play([Match(single.block_id, 0, SHORT, Limits(), chairs, single.seed)]))
    assert [player.closed for player in room.players.values()] == [True, False, False]


def test_clones_at_a_table_are_asked_apart() -> None:
    chairs = (Chair(BOTS[0], 0, 0), Chair(BOTS[0], 1, 0))
    room = Room()
    record = only(list(referee(room).play([Match(bytes(32), 0, SHORT, Limits(), chairs, bytes(32))])))
    assert record.seats == (BOTS[0], BOTS[0])
    assert len(room.players) == 2


def test_names_are_told_only_when_the_limits_say_so() -> None:
    for shown in (False, True):
        room = Room()
        plain = match(0)
        play(room, [Match(plain.block_id, 0, SHORT, Limits(show_names=shown), plain.chairs, plain.seed)])
        told = {question.bots for player in room.players.values() for call in player.calls for question in call}
        assert told == ({tuple(chair.bot.hex() for chair in plain.chairs)} if shown else {()})


def test_any_mix_of_faults_ends_and_counts_every_strike() -> None:
    rng = random.Random(11)

    def reply(questions: Sequence[Question]) -> CallResult:
        if rng.random() < 0.2:
            return failed(rng.choice([FaultKind.CRASHED, FaultKind.TIMEOUT, FaultKind.BAD_REPLY, FaultKind.REFUSED]))
        return answered(questions, lambda q: foreign(q) if rng.random() < 0.05 else greedy(q))

    ends = play(Room(lambda _: Scripted(reply)), [match(b, r) for r in range(3) for b in range(20)], tables=16)
    assert len(records(ends)) == 60
    for record in records(ends):
        for bot in record.seats:
            strikes = [fault[2] for fault in faults_of(record, bot)]
            assert strikes == list(range(1, len(strikes) + 1))
            assert len(strikes) <= 3


def test_a_forfeit_that_leaves_one_seat_ends_the_match() -> None:
    room = room_with(BOTS[1], lambda _: failed(FaultKind.CRASHED, "exit 1"))
    record = only(play(room, [match(0, seats=2, variant=Variant())]))
    assert record.ending.value == "FORFEIT"
    assert record.places == (1, 2)
    assert record.deals[-1].end.value == "FORFEIT"


def test_legal_discards_are_what_the_scripted_bots_play() -> None:
    record = only(play(Room(), [match(0)]))
    for deal in record.deals:
        hands = [set(hand or b"") for hand in deal.hands]
        for turn in deal.turns:
            if isinstance(turn.action, Play):
                legal = legal_discards(bytes(hands[turn.seat]), SHORT)
                assert set(turn.action.discard) in map(set, legal)
                hands[turn.seat] -= set(turn.action.discard)
                assert turn.card is not None
                hands[turn.seat].add(turn.card)
            else:
                assert isinstance(turn.action, Declare)
