"""The turns of a record as their seats saw them."""

from dataclasses import replace

from arena.game.actions import Declare, Play
from arena.game.cards import NAMES, fold
from arena.game.chance import SeededChance
from arena.game.rules import decide, decide_forfeit, evolve, new_match, substitute
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.explaining import explained, seen_turns
from tests.cli.test_render import left_early, played


def test_every_turn_is_seen_as_it_was_asked() -> None:
    record = played(3, fault_rate=0.05, decks=2)
    state = new_match(record.variant, 3, SeededChance(record.seed, 2))
    turns = list(seen_turns(record))
    assert len(turns) == sum(1 for _ in record.turns()) > 50
    for number, (at, recorded) in enumerate(zip(turns, record.turns(), strict=True)):
        assert (at.turn, at.deal, at.seat) == (number, state.deal, recorded.seat)
        assert at.seen == observe(state, state.seat)
        assert (at.action is None) == (recorded.fault is not None) == (at.fault is not None)
        if at.action is not None:
            evolve(state, decide(state, at.action))
        else:
            evolve(state, decide_forfeit(state) if recorded.action is None else decide(state, substitute(state)))


def test_what_the_arena_played_is_not_judged() -> None:
    record = played(3, fault_rate=0.2)
    at = next(at for at in seen_turns(record) if at.fault is not None)
    assert explained(record, at, 10).judgement is None


def test_a_turn_is_explained_from_what_its_seat_could_know() -> None:
    def unrevealed(hand: str, drawn: str) -> list[object]:
        """What is thought of the turns of seat 1."""
        record = left_early(hand, drawn)
        return [explained(record, at, 20) for at in seen_turns(record) if at.seat == 1]

    found = unrevealed("As 3d 7s 7d Kc", "9d")
    assert len(found) == 2
    assert found == unrevealed("Ah 3d 8s Td Kc", "Qd")


def test_actions_are_in_names() -> None:
    record = played(4, decks=2)
    actions = [at.action for at in seen_turns(record) if at.action is not None]
    assert Declare() in actions
    for action in actions:
        if isinstance(action, Play):
            assert action.discard == fold(action.discard)
            assert action.take is None or action.take < NAMES


def test_the_same_turn_is_explained_alike_each_time() -> None:
    record = replace(played(2), variant=Variant(threshold=25))
    at = next(iter(seen_turns(record)))
    assert explained(record, at, 20) == explained(record, at, 20)
    assert explained(replace(record, seed=bytes(32)), at, 20) != explained(record, at, 20)
