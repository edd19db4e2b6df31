"""Serves one `choose` function to the arena. Turns are asked of it one after the other, never two at a time."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import NamedTuple, NoReturn, TypeAlias, cast

import grpc

from arena.game.actions import Action, Declare, Play
from arena.game.cards import NAMES
from arena.sdk.observation import Observation
from arena.wire.v1 import bot_pb2 as pb

Choose: TypeAlias = Callable[[Observation], Action]

ADDRESS = "ARENA_BOT_ADDRESS"
SERVICE = "arena.v1.BotService"
PROTOCOL_VERSION = 1

_NUMBERS = bytes((card + 1) % 256 for card in range(256))
"""For `bytes.translate`: from the numbers of `arena.game.cards` to those of the contract."""

_OPTIONS = (("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", 2**26))


class Conclusion(NamedTuple):
    """How a match ended: your seat's number and seat, places by seat, and the record, a serialised `MatchPlay`."""

    table: int
    seat: int
    places: tuple[int, ...]
    record: bytes


def serve(
    choose: Choose,
    *,
    name: str = "",
    version: str = "",
    authors: Sequence[str] = (),
    max_batch: int = 128,
    wants_legal_discards: bool = False,
    on_conclude: Callable[[Conclusion], None] | None = None,
) -> NoReturn:
    """Be a bot: answer the arena with what `choose` returns until the arena ends the process; never returns.

    `max_batch` is how many turns one call may bring; they are still put to `choose` one by one. `on_conclude`, if
    given, is told how matches ended. When `choose` raises, or returns no action, that turn is a fault, the traceback
    goes to stderr, and the bot plays on.
    """
    address = os.environ.get(ADDRESS)
    if not address:
        sys.exit(
            f"This is a bot: it plays when the arena starts it and names its address in {ADDRESS}.\n"
            "Try it with: arena tournament run <the bot's folder>\n"
            f"To serve it by hand: {ADDRESS}=127.0.0.1:50051 python main.py"
        )
    description = pb.DescribeResponse(
        name=name,
        version=version,
        authors=authors,
        protocol_versions=[PROTOCOL_VERSION],
        max_batch=max_batch,
        wants_legal_discards=wants_legal_discards,
        wants_conclude=on_conclude is not None,
    )
    server = grpc.server(ThreadPoolExecutor(1), handlers=[_handler(choose, description, on_conclude)], options=_OPTIONS)
    server.add_insecure_port(address)
    terminated = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: terminated.set())
    server.start()
    terminated.wait()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # at once, also out of a `choose` that never returns and would be waited for


def _handler(
    choose: Choose, description: pb.DescribeResponse, on_conclude: Callable[[Conclusion], None] | None
) -> grpc.GenericRpcHandler:
    def describe(_: bytes, __: grpc.ServicerContext) -> bytes:
        return description.SerializeToString()

    def take_turn(raw: bytes, context: grpc.ServicerContext) -> bytes:
        reply = pb.TakeTurnResponse()
        try:
            _answer(choose, pb.TakeTurnRequest.FromString(raw), reply)
        except Exception as error:
            traceback.print_exc()
            context.abort(grpc.StatusCode.INTERNAL, f"choose raised {type(error).__name__}")
        return reply.SerializeToString()

    def take_turns(raw: bytes, _: grpc.ServicerContext) -> bytes:
        replies = pb.TakeTurnsResponse()
        for request in pb.TakeTurnsRequest.FromString(raw).turns:
            try:
                _answer(choose, request, replies.turns.add())
            except Exception:
                traceback.print_exc()
                del replies.turns[-1]
        return replies.SerializeToString()

    def conclude(raw: bytes, _: grpc.ServicerContext) -> bytes:
        message = pb.ConcludeRequest.FromString(raw)
        if on_conclude is not None:
            on_conclude(Conclusion(message.table, message.seat, tuple(message.places), message.record))
        return b""

    methods = {"Describe": describe, "TakeTurn": take_turn, "TakeTurns": take_turns, "Conclude": conclude}
    return grpc.method_handlers_generic_handler(
        SERVICE, {method: grpc.unary_unary_rpc_method_handler(handle) for method, handle in methods.items()}
    )


def _answer(choose: Choose, request: pb.TakeTurnRequest, reply: pb.TakeTurnResponse) -> None:
    """Write what `choose` says to a request into its reply."""
    action = choose(Observation(request))
    reply.table = request.table
    reply.turn = request.turn
    if isinstance(action, Play):
        reply.MergeFromString(_play(bytes(action.discard), action.take))
    elif isinstance(action, Declare):
        reply.declare.SetInParent()
    else:
        raise TypeError(f"choose must return Play(discard, take) or Declare(), not {action!r}")


@lru_cache(maxsize=1 << 14)  # the same plays come again and again
def _play(discard: bytes, take: int | None) -> bytes:
    """A play as the part of a reply."""
    cards = cast("Iterable[pb.Card]", discard.translate(_NUMBERS))
    if take is None:
        play = pb.Play(discard=cards, closed=pb.Closed())
    elif 0 <= take < NAMES:
        play = pb.Play(discard=cards, open=cast("pb.Card", take + 1))
    else:
        raise ValueError(f"{take!r} is no card to take: give the number of an open card, or None for the closed deck")
    return pb.TakeTurnResponse(play=play).SerializeToString()
