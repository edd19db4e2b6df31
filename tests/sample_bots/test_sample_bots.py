"""The sample bots play legally by every reading of the rules, are repeatable, and think as their page says."""

from __future__ import annotations

import tomllib
from collections.abc import Callable

import pytest

from arena.game.actions import Action, Declare, Play
from arena.game.cards import parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.rules import decide, evolve, legal_actions, new_match
from arena.game.state import State
from arena.game.variant import Crossing, Finish, Variant
from arena.sdk import Observation, PublicPlay, SeatView
from arena.wire.codec import TableEncoder
from arena.wire.v1 import bot_pb2 as pb
from tests.sample_bots.loading import NAMES, SAMPLE_BOTS, load
from tests.wire.walking import ask

CHOOSE: dict[str, Callable[[Observation], Action]] = {name: load(name).choose for name in NAMES}
SEARCHING = ("champion", "sampler")
"""They play deals out, which takes some milliseconds a turn."""
VARIANTS = [
    (2, Variant()),
    (3, Variant(upcard=False, threshold=25, crossing=Crossing.REACH)),
    (10, Variant(decks=2, mixed_pairs=True, finish=Finish.FIRST_OUT)),
    (8, Variant(tie_holds=False, threshold=0, deal_cap=3)),
    (2, Variant(hand_size=12, lap_cap=7)),
]


def observed(state: State, encode: TableEncoder) -> Observation:
    return Observation(pb.TakeTurnRequest.FromString(encode(ask(state))))


def put(state: State, hand: str, open_cards: str, *, later: bool = True) -> Observation:
    """What a seat sees that holds these cards, late enough to declare or on its first turn."""
    state.hands[state.seat] = parse_cards(hand)
    state.open = parse_cards(open_cards)
    state.lap = int(later)
    return observed(state, TableEncoder())


@pytest.fixture
def state() -> State:
    return new_match(Variant(), 3, SeededChance(bytes(32), 1))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("seats", "variant"), VARIANTS)
def test_every_action_is_legal_and_the_same_when_asked_again(name: str, seats: int, variant: Variant) -> None:
    state = new_match(variant, seats, SeededChance(bytes([seats]) * 32, variant.decks))
    encode = TableEncoder()
    for _ in range(15 if name in SEARCHING else 400):
        if state.outcome is not None:
            break
        observation = observed(state, encode)
        action = CHOOSE[name](observation)
        legal = [move if isinstance(move, Declare) else (set(move.discard), move.take) for move in legal_actions(state)]
        assert (action if isinstance(action, Declare) else (set(action.discard), action.take)) in legal
        assert CHOOSE[name](observed(state, TableEncoder())) == action
        evolve(state, decide(state, action))


@pytest.mark.parametrize("name", NAMES)
def test_each_has_a_manifest_and_a_line_in_the_table(name: str) -> None:
    manifest = tomllib.loads((SAMPLE_BOTS / name / "bot.toml").read_text())
    assert manifest["name"] == name
    assert manifest["command"] == ["python", "main.py"]
    assert manifest.get("quick", False) is (name not in SEARCHING)
    assert f"| `{name}` |" in (SAMPLE_BOTS / "README.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_bot_imports_the_kit_only(name: str) -> None:
    for path in (SAMPLE_BOTS / name).glob("*.py"):
        for line in path.read_text().splitlines():
            if line.startswith(("from arena", "import arena")):
                assert line.startswith(("from arena.sdk import ", "from arena.sdk.search import "))


def test_greedy_throws_the_biggest_sum_and_takes_a_cheap_open_card(state: State) -> None:
    greedy = CHOOSE["greedy"]
    assert greedy(put(state, "9c 9d Kh 2s 3s", "4h 2h Kd")) == Play(parse_cards("9c 9d"), parse_card("2h"))
    assert greedy(put(state, "Qc Kd Ah 2s 3s", "4h")) == Play(parse_cards("Ah Qc Kd"), parse_card("4h"))
    assert greedy(put(state, "9c 9d Kh 2s 3s", "5h Kd")) == Play(parse_cards("9c 9d"), None)


def test_greedy_declares_with_five_or_less_as_soon_as_it_may(state: State) -> None:
    greedy = CHOOSE["greedy"]
    assert greedy(put(state, "As 2s 2d", "4h")) == Declare()
    assert greedy(put(state, "As 2s 3d", "4h")) != Declare()
    assert greedy(put(state, "As 2s 2d", "4h", later=False)) != Declare()


def test_planner_takes_the_card_that_makes_the_best_next_discard(state: State) -> None:
    planner = CHOOSE["planner"]
    assert planner(put(state, "Kh Qd Jc 8c As", "9h")) == Play(parse_cards("Jc Qd Kh"), None)
    assert planner(put(state, "9c Td 2s 3c Kd", "8h")) == Play(parse_cards("Kd"), parse_card("8h"))


def test_planner_declares_with_six_while_nobody_else_is_down_to_two_cards(state: State) -> None:
    planner = CHOOSE["planner"]
    assert planner(put(state, "As 2s 3d", "4h")) == Declare()
    state.hands[1] = parse_cards("Kd Kh")
    assert SeatView(2, 0, False) in put(state, "As 2s 3d", "4h").seats
    assert planner(put(state, "As 2s 3d", "4h")) != Declare()
    assert planner(put(state, "As 2s 2d", "4h")) == Declare()


def test_counter_declares_with_what_the_others_have_probably_not_got(state: State) -> None:
    counter = CHOOSE["counter"]
    assert counter(put(state, "2s 6d", "Kh")) == Declare()
    state.hands[1] = parse_cards("Kd")
    state.events_of_deal = [PublicPlay(1, parse_cards("2h"), None, 0)] * 6
    assert counter(put(state, "2s 6d", "Kh")) != Declare()


@pytest.mark.parametrize("name", SEARCHING)
def test_who_plays_deals_out_throws_two_kings_and_declares_an_ace(name: str, state: State) -> None:
    assert CHOOSE[name](put(state, "Kc Kh 5c 3h As", "Qh")) == Play(parse_cards("Kc Kh"), None)
    assert CHOOSE[name](put(state, "As", "Qh")) == Declare()


def test_counter_knows_what_was_taken_openly(state: State) -> None:
    counter = CHOOSE["counter"]
    state.hands[1] = parse_cards("Ah")
    state.events_of_deal = [PublicPlay(1, parse_cards("2h 2c 2d 2s"), parse_card("Ah"), 0)]
    state.dealt = state.dealt and state.dealt._replace(upcard=parse_card("Ah"))
    assert counter(put(state, "2s", "2h")) != Declare()
    assert counter(put(state, "Ac", "2h")) == Declare()


def test_random_plays_every_legal_action_and_seldom_declares() -> None:
    random = CHOOSE["random"]
    seen: set[Action] = set()
    state = new_match(Variant(), 2, SeededChance(bytes(32), 1))
    put(state, "9c 9d Kh 2s 3s", "4h 2h")
    legal = set(legal_actions(state))
    for turn in range(400):
        state.turn = turn
        seen.add(random(observed(state, TableEncoder())))
    assert {move if isinstance(move, Declare) else Play(bytes(sorted(move.discard)), move.take) for move in seen} == {
        move if isinstance(move, Declare) else Play(bytes(sorted(move.discard)), move.take) for move in legal
    }
    assert Declare() in seen
