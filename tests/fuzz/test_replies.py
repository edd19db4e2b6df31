"""Whatever bytes come as a reply, they are answers, or an error that is declared; and no reader grows with them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from typing import Any

import grpc
import psutil
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game.chance import SeededChance
from arena.game.rules import new_match
from arena.game.state import State
from arena.game.variant import Variant
from arena.match.adjudicate import adjudicate
from arena.match.player import Answer
from arena.wire.client import BotClient, CallError, CallErrorKind, Description
from arena.wire.codec import Undecodable, decode_turn, decode_turns
from arena.wire.v1 import bot_pb2 as pb
from tests.fuzz.replies import HUGE, anything, damage, descriptions, usual_turns

Decode = Callable[[bytes], tuple[Answer, ...]]
MB = 2**20
MOST_GROWN = 48 * MB
"""What a process may have gained when the largest replies have been read four times over."""


class Parrot:
    """A bot that replies to everything with the same bytes, and its client."""

    def __init__(self) -> None:
        self.reply = b""
        names = ("Describe", "TakeTurn", "TakeTurns", "Conclude")
        handler: Any = grpc.unary_unary_rpc_method_handler(lambda _, __: self.reply)
        self._server = grpc.server(ThreadPoolExecutor(1))
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("arena.v1.BotService", dict.fromkeys(names, handler)),)
        )
        port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()
        self.client = BotClient(f"127.0.0.1:{port}")

    def close(self) -> None:
        self.client.close()
        self._server.stop(None).wait(5.0)


@pytest.fixture(scope="module")
def parrot() -> Iterator[Parrot]:
    bot = Parrot()
    yield bot
    bot.close()


@pytest.fixture(scope="module")
def state() -> State:
    return new_match(Variant(), 3, SeededChance(bytes(32), 1))


@contextmanager
def bounded(most: int) -> Iterator[None]:
    """Make sure that this process has not gained more memory than so many bytes afterwards."""
    gc.collect()
    before = psutil.Process().memory_info().rss
    yield
    gc.collect()
    grown = psutil.Process().memory_info().rss - before
    assert grown < most, f"{grown / MB:.0f} MB more than before"


def well_formed(answers: tuple[Answer, ...]) -> bool:
    """Every answer has an action or says why not, and names cards only."""
    for answer in answers:
        assert (answer.action is None) == bool(answer.problem)
        for cards in (answer.action or ())[:1]:
            assert max(cards, default=0) < 52
    return True


def read(decode: Decode, raw: bytes) -> tuple[Answer, ...] | None:
    """What a decoder makes of bytes; None when it says that it cannot read them."""
    try:
        answers = decode(raw)
    except Undecodable as error:
        assert len(str(error)) < 300
        return None
    assert well_formed(answers)
    return answers


def call(ask: Callable[[], object]) -> object:
    """What a call brings; None when its reply cannot be read, which is the only other thing that may happen."""
    try:
        return ask()
    except CallError as error:
        assert error.kind is CallErrorKind.UNREADABLE, error
        return None


@settings(max_examples=300, deadline=None)
@given(raw=anything())
def test_any_bytes_are_answers_or_undecodable(state: State, raw: bytes) -> None:
    for decode in (decode_turn, decode_turns):
        answers = read(decode, raw)
        if answers is not None:
            assert adjudicate(state, None, answers)


@settings(max_examples=500, deadline=None)
@given(raw=st.one_of(usual_turns(), anything()))
def test_many_answers_are_what_protobuf_makes_of_each(raw: bytes) -> None:
    try:
        message = pb.TakeTurnsResponse.FromString(raw)
    except DecodeError:
        assert read(decode_turns, raw) is None
    else:
        alone = [decode_turn(reply.SerializeToString()) for reply in message.turns]
        assert decode_turns(raw) == tuple(answer for (answer,) in alone)


@settings(max_examples=150, deadline=None)
@given(raw=anything())
def test_any_reply_to_a_call_is_read_or_unreadable(parrot: Parrot, raw: bytes) -> None:
    parrot.reply = raw
    described = call(lambda: parrot.client.describe(10.0))
    assert described is None or (isinstance(described, Description) and described.max_batch >= 1)
    for ask in (parrot.client.take_turn, parrot.client.take_turns):
        call(lambda ask=ask: ask(b"", 10.0))  # type: ignore[misc]
    parrot.client.conclude(b"", 10.0)


@settings(max_examples=100, deadline=None)
@given(said=descriptions())
def test_a_description_comes_as_it_was_said(parrot: Parrot, said: Any) -> None:
    parrot.reply = said.SerializeToString()
    described = parrot.client.describe(10.0)
    assert (described.name, described.version, list(described.authors)) == (said.name, said.version, said.authors)
    assert described.max_batch == max(1, said.max_batch)


@pytest.mark.parametrize("kind", HUGE)
def test_the_largest_messages_end_in_an_answer_or_a_declared_error(kind: str) -> None:
    for decode in (decode_turn, decode_turns):
        read(decode, HUGE[kind])


@pytest.mark.slow
def test_the_largest_messages_leave_no_memory_behind(parrot: Parrot) -> None:
    def all_of_them() -> None:
        for raw in HUGE.values():
            parrot.reply = raw
            for ask in (parrot.client.take_turn, parrot.client.take_turns):
                call(lambda ask=ask: ask(b"", 30.0))  # type: ignore[misc]
            call(lambda: parrot.client.describe(30.0))

    all_of_them()
    with bounded(MOST_GROWN):
        for _ in range(4):
            all_of_them()


def sample(chance: Random) -> bytes:
    """A reply to one or to several turns."""
    replies = []
    for _ in range(chance.randint(1, 5)):
        reply = pb.TakeTurnResponse(table=chance.randrange(2**64), turn=chance.randrange(99))
        reply.play.discard.extend(chance.choices(range(1, 53), k=chance.randrange(6)))  # type: ignore[arg-type]
        reply.play.closed.SetInParent()
        replies.append(reply)
    return chance.choice([replies[0], pb.TakeTurnsResponse(turns=replies)]).SerializeToString()


@pytest.mark.slow
def test_two_hundred_thousand_damaged_replies_are_read_and_leave_no_memory_behind(state: State) -> None:
    chance = Random(8)
    seeds = [sample(chance) for _ in range(200)]
    with bounded(MOST_GROWN):
        for number in range(200_000):
            raw = damage(seeds[number % len(seeds)], chance)
            for decode in (decode_turn, decode_turns):
                answers = read(decode, raw)
                if answers is not None:
                    adjudicate(state, None, answers)
