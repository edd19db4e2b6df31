"""The bots in JavaScript and Go, as processes: they play legally by every reading of the rules, alone and in batch."""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.bots.folders import open_folder
from arena.bots.launcher import BotProcess, Launcher
from arena.bots.ring import OutputRing
from arena.game.actions import Action, Declare, Play
from arena.game.cards import parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.rules import decide, evolve, new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.match.limits import ProcessLimits
from arena.match.player import Answer
from arena.wire.client import BotClient
from arena.wire.codec import TableEncoder, add_legal_discards, encode_turns
from tests.end_to_end.arena import Arena
from tests.needs import needs
from tests.sample_bots.loading import SAMPLE_BOTS, built
from tests.sample_bots.test_sample_bots import VARIANTS
from tests.wire.walking import ask

BOTS = [
    pytest.param("tally", marks=needs("node")),
    pytest.param("gopher", marks=[needs("go"), pytest.mark.slow, pytest.mark.timeout(300)]),  # it is built first
]


@pytest.fixture(scope="module", params=BOTS)
def bot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a bot of another language that needs no build any more."""
    return built(SAMPLE_BOTS / request.param, tmp_path_factory.mktemp("built"))


class Asked(NamedTuple):
    """A bot that runs, and the connection to it."""

    process: BotProcess
    client: BotClient

    def turns(self, raw: bytes) -> tuple[Answer, ...]:
        """What it answers when it is asked one turn alone, and then many; the watchdog is told, or it sees a flood."""
        answers: list[Answer] = []
        for call, request in ((self.client.take_turn, raw), (self.client.take_turns, encode_turns([raw]))):
            self.process.traffic.begin()
            answers += call(request, 5)
            self.process.traffic.end()
        return tuple(answers)


@pytest.fixture(scope="module")
def asked(bot: Path) -> Iterator[Asked]:
    """A bot of another language that runs."""
    with Launcher(ProcessLimits()) as launcher:
        process = launcher.start(launcher.prepare(open_folder(bot)), OutputRing(), threading.Event())
        client = BotClient(process.address.target)
        assert client.describe(10).wants_legal_discards
        process.traffic.end()
        yield Asked(process, client)
        client.close()
        process.end()


@pytest.fixture
def state() -> State:
    return new_match(Variant(), 3, SeededChance(bytes(32), 1))


def answer(asked: Asked, state: State) -> Action | None:
    """What the bot does in this state; the same whether it is asked for one turn or for several."""
    single, many = asked.turns(add_legal_discards(TableEncoder()(ask(state))))
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
def test_every_action_is_legal(asked: Asked, seats: int, variant: Variant) -> None:
    state = new_match(variant, seats, SeededChance(bytes([seats]) * 32, variant.decks))
    for _ in range(200):
        if state.outcome is not None:
            break
        action = answer(asked, state)
        assert action is not None
        evolve(state, decide(state, action))


def test_they_throw_and_take_for_the_next_throw(asked: Asked, state: State) -> None:
    assert answer(asked, put(state, "Kh Qd Jc 8c As", "9h")) == Play(parse_cards("Jc Qd Kh"), None)
    assert answer(asked, put(state, "9c Td 2s 3c Kd", "8h")) == Play(parse_cards("Kd"), parse_card("8h"))


def test_they_declare_with_little(asked: Asked, state: State) -> None:
    assert answer(asked, put(state, "As 2s 3d", "4h")) == Declare()
    assert answer(asked, put(state, "As 4s 5d", "4h")) != Declare()


@pytest.mark.slow
@needs("sandbox")
def test_they_pass_the_check(tmp_path: Path, bot: Path) -> None:
    said = Arena(tmp_path).json("bots", "check", str(bot))
    assert (said["passed"], said["errors"], said["warnings"]) == (True, 0, 0)
    assert (said["repeatable"], said["keeps_state"]) == (True, False)
