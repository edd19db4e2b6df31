"""A bot of a few lines, started as a real process and asked over real gRPC."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from arena.game.actions import Declare, Play
from arena.game.cards import total
from arena.game.discards import legal_discards
from arena.game.variant import Variant
from arena.wire.client import BotClient, CallError, CallErrorKind
from arena.wire.codec import TableEncoder, encode_turns
from arena.wire.v1 import bot_pb2 as pb
from tests.wire.walking import ask, walk

SIX_LINES = """
from arena.sdk import Declare, Play, serve, total
def choose(observation):
    if observation.may_declare and observation.total <= 5:
        return Declare()
    return Play(max(observation.legal_discards(), key=total), take=None)
serve(choose)
"""

MOODY = """
from arena.sdk import Declare, Play, serve
def choose(observation):
    if observation.turn % 3 == 1:
        raise RuntimeError(f"turn {observation.turn} is too hard")
    if observation.turn % 3 == 2:
        return "declare"
    return Play(observation.hand[:1], None)
serve(choose, max_batch=7, wants_legal_discards=True, name="moody", version="2", authors=["A", "B"])
"""


class Bot:
    """A running bot with a client; what it wrote to stderr is in a file."""

    def __init__(self, folder: Path, source: str) -> None:
        self._log = folder / "stderr"
        (folder / "main.py").write_text(dedent(source))
        target = f"unix:{folder}/bot"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "main.py"], cwd=folder, env={**os.environ, "ARENA_BOT_ADDRESS": target}, stderr=log
            )
        self.client = BotClient(target)

    def log(self) -> str:
        return self._log.read_text()

    def close(self) -> None:
        self.client.close()
        self.process.kill()
        self.process.wait()


Start = Callable[[str], Bot]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    bots: list[Bot] = []

    def start_bot(source: str) -> Bot:
        bots.append(Bot(tmp_path, source))
        return bots[-1]

    yield start_bot
    for bot in bots:
        bot.close()


def requests(count: int) -> list[bytes]:
    """The first questions of one match, each with the number of its turn."""
    encode = TableEncoder()
    return [encode(ask(state)) for _, state in zip(range(count), walk(1, 2, Variant(threshold=100)), strict=False)]


def test_a_bot_of_six_lines_answers_single_and_many_turns(start: Start) -> None:
    bot = start(SIX_LINES)
    assert bot.client.describe(30).max_batch == 128
    raws = requests(200)
    many = bot.client.take_turns(encode_turns(raws), 30)
    single = tuple(answer for raw in raws for answer in bot.client.take_turn(raw, 30))
    assert many == single
    for raw, answer in zip(raws, many, strict=True):
        request = pb.TakeTurnRequest.FromString(raw)
        hand = bytes(card - 1 for card in request.observation.hand)
        assert (answer.table, answer.turn, answer.problem) == (request.table, request.turn, "")
        if request.observation.may_declare and total(hand) <= 5:
            assert answer.action == Declare()
        else:
            assert answer.action == Play(max(legal_discards(hand, Variant()), key=total), None)
    assert Declare() in {answer.action for answer in many}


def test_a_bot_says_who_it_is_and_what_it_can(start: Start) -> None:
    description = start(MOODY).client.describe(30)
    assert (description.name, description.version, description.authors) == ("moody", "2", ("A", "B"))
    assert (description.max_batch, description.protocol_versions) == (7, (1,))
    assert description.wants_legal_discards
    assert not description.wants_conclude


def test_one_tables_exception_does_not_spoil_the_others(start: Start) -> None:
    bot = start(MOODY)
    bot.client.describe(30)
    answers = bot.client.take_turns(encode_turns(requests(9)), 30)
    assert [answer.turn for answer in answers] == [0, 3, 6]
    assert "RuntimeError: turn 4 is too hard" in bot.log()
    assert "choose must return Play(discard, take) or Declare(), not 'declare'" in bot.log()


def test_an_exception_in_a_single_turn_is_a_status_without_its_text_and_play_goes_on(
    start: Start,
) -> None:
    bot = start(MOODY)
    bot.client.describe(30)
    raws = requests(2)
    with pytest.raises(CallError) as caught:
        bot.client.take_turn(raws[1], 30)
    assert caught.value.kind is CallErrorKind.STATUS
    assert "too hard" not in caught.value.detail
    assert "too hard" in bot.log()
    assert bot.client.take_turn(raws[0], 30)[0].action is not None


def test_a_conclusion_reaches_the_bot_that_wants_it(start: Start, tmp_path: Path) -> None:
    bot = start(
        """
        from pathlib import Path
        from arena.sdk import serve
        serve(lambda _: None, on_conclude=lambda end: Path("end").write_text(f"{end.table} {end.seat} {end.places}"))
        """
    )
    assert bot.client.describe(30).wants_conclude
    bot.client.conclude(pb.ConcludeRequest(table=7, seat=1, places=[2, 1]).SerializeToString(), 30)
    assert (tmp_path / "end").read_text() == "7 1 (2, 1)"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_bot_even_out_of_a_choice_that_never_returns(start: Start, number: int) -> None:
    bot = start(
        """
        import sys
        from arena.sdk import serve
        def choose(observation):
            while True:
                pass
        serve(choose)
        """
    )
    bot.client.describe(30)
    with pytest.raises(CallError):
        bot.client.take_turn(requests(1)[0], 0.2)
    bot.process.send_signal(number)
    assert bot.process.wait(10) == 0


def test_without_an_address_a_bot_says_how_it_is_started(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(SIX_LINES)
    environment = {name: value for name, value in os.environ.items() if name != "ARENA_BOT_ADDRESS"}
    ended = subprocess.run(
        [sys.executable, "main.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "arena tournament run" in ended.stderr
    assert "ARENA_BOT_ADDRESS" in ended.stderr
    assert "Traceback" not in ended.stderr
