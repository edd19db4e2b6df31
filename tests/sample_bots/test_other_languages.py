"""The bots in JavaScript and Go, as processes: they play legally by every reading of the rules, alone and in batch."""

from __future__ import annotations

import json
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.ring import OutputRing
from arena.game.actions import Action, Declare, Play
from arena.game.cards import parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.rules import decide, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.match.limits import ProcessLimits
from arena.wire.client import BotClient
from arena.wire.codec import TableEncoder, add_legal_discards, encode_turns
from tests.end_to_end.arena import Arena
from tests.needs import needs
from tests.sample_bots.loading import SAMPLE_BOTS
from tests.sample_bots.test_sample_bots import VARIANTS
from tests.wire.walking import ask

BOTS = [
    pytest.param("tally", marks=needs("node")),
    pytest.param("gopher", marks=[needs("go"), pytest.mark.slow, pytest.mark.timeout(300)]),  # it is built first
]


@pytest.fixture(scope="module", params=BOTS)
def client(request: pytest.FixtureRequest) -> Iterator[BotClient]:
    """A connection to a bot of another language that runs."""
    with Launcher(ProcessLimits()) as launcher:
        bot = launcher.prepare(open_folder(SAMPLE_BOTS / request.param))
        process = launcher.start(bot, OutputRing(), threading.Event())
        client = BotClient(process.address.target)
        assert client.describe(10).wants_legal_discards
        yield client
        client.close()
        process.end()


@pytest.fixture
def state() -> State:
    return new_match(Variant(), 3, SeededChance(bytes(32), 1))


def answer(client: BotClient, state: State) -> Action | None:
    """What the bot does in this state; the same whether it is asked for one turn or for several."""
    raw = add_legal_discards(TableEncoder()(ask(state)))
    (single,), (many,) = client.take_turn(raw, 5), client.take_turns(encode_turns([raw]), 5)
    assert single == many
    return single.action


def put(state: State, hand: str, open_cards: str) -> State:
    """The state in which the seat to act holds these cards, late enough to declare."""
    state.hands[state.seat] = parse_cards(hand)
    state.open = parse_cards(open_cards)
    state.lap = 1
    return state


@pytest.mark.parametrize("name", ["tally", "gopher"])
def test_each_has_a_manifest_and_a_line_in_the_table(name: str) -> None:
    manifest = tomllib.loads((SAMPLE_BOTS / name / "bot.toml").read_text())
    assert manifest["name"] == name
    assert f"| `{name}` |" in (SAMPLE_BOTS / "README.md").read_text()


@pytest.mark.parametrize(("seats", "variant"), VARIANTS)
def test_every_action_is_legal(client: BotClient, seats: int, variant: Variant) -> None:
    state = new_match(variant, seats, SeededChance(bytes([seats]) * 32, variant.decks))
    for _ in range(200):
        if state.outcome is not None:
            break
        action = answer(client, state)
        assert action is not None
        evolve(state, decide(state, action))


def test_they_throw_and_take_for_the_next_throw(client: BotClient, state: State) -> None:
    assert answer(client, put(state, "Kh Qd Jc 8c As", "9h")) == Play(parse_cards("Jc Qd Kh"), None)
    assert answer(client, put(state, "9c Td 2s 3c Kd", "8h")) == Play(parse_cards("Kd"), parse_card("8h"))


def test_they_declare_with_little(client: BotClient, state: State) -> None:
    assert answer(client, put(state, "As 2s 3d", "4h")) == Declare()
    assert answer(client, put(state, "As 4s 5d", "4h")) != Declare()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param("tally", marks=needs("node")), pytest.param("gopher", marks=needs("go"))]
)
@pytest.mark.timeout(300)
def test_they_pass_the_check(tmp_path: Path, name: str) -> None:
    checking = Arena(tmp_path).start("bots", "check", str(SAMPLE_BOTS / name), "--json")
    said, errors = checking.communicate(timeout=280)
    assert checking.returncode == 0, said + errors
    assert json.loads(said)["warnings"] == 0
