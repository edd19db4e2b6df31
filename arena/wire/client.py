"""The client of one bot: blocking calls with a deadline each, bytes in as they are, and one closed list of what can go
wrong. A bot is a stranger: nothing that it sends is trusted, and little of it is kept.
"""

from __future__ import annotations

import time
from enum import Enum
from typing import NamedTuple, TypeAlias

import grpc
from google.protobuf.message import DecodeError

from arena.match.player import Answer
from arena.wire.codec import Undecodable, decode_turn, decode_turns
from arena.wire.v1 import bot_pb2 as pb

Method: TypeAlias = "grpc.UnaryUnaryMultiCallable[bytes, bytes]"

PROTOCOL_VERSION = 1
SERVICE = "/arena.v1.BotService/"

MOST_REPLY_BYTES = 2**17
"""Ten times what the answers of a full batch take; what is larger is not even read."""

MOST_METADATA_BYTES = 2**14
MOST_DETAIL = 300
"""Characters that are kept of what a bot says about an error."""

EARLY_S = 0.005
"""A bot's own gRPC may notice the deadline, which it was told, a little before ours does."""

CLOSED = "the arena closed the connection"

REFUSED_BY_US = ("larger than max", "metadata size exceeds")
"""What gRPC says when it is our side that refuses a reply; there is no other sign of it."""

OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.use_local_subchannel_pool", 1),  # one bot's broken connection is no other's
    ("grpc.enable_http_proxy", 0),
    ("grpc.enable_retries", 0),  # the referee decides what is asked again
    ("grpc.service_config_disable_resolution", 1),
    ("grpc.max_receive_message_length", MOST_REPLY_BYTES),
    ("grpc.max_metadata_size", MOST_METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", MOST_METADATA_BYTES),
)


class CallErrorKind(Enum):
    """How a call can fail as a whole."""

    DEADLINE = "DEADLINE"
    """No reply in time."""
    UNAVAILABLE = "UNAVAILABLE"
    """Nobody there, or the connection broke."""
    UNREADABLE = "UNREADABLE"
    """A reply that our own side refused: too large, or not what it should be."""
    UNIMPLEMENTED = "UNIMPLEMENTED"
    """The bot does not offer this method."""
    STATUS = "STATUS"
    """The bot answered with another error status."""


class CallError(Exception):
    """A call that brought no reply. `detail` is one line, of bounded length, partly in the bot's own words."""

    def __init__(self, kind: CallErrorKind, detail: str) -> None:
        super().__init__(f"{kind.value}: {detail}")
        self.kind = kind
        self.detail = detail


class Description(NamedTuple):
    """What a bot says of itself; `max_batch` is at least 1."""

    name: str
    version: str
    authors: tuple[str, ...]
    protocol_versions: tuple[int, ...]
    max_batch: int
    wants_legal_discards: bool
    wants_conclude: bool


class BotClient:
    """The connection to one bot at a gRPC target, as `unix:/path` or `127.0.0.1:4711`.

    All calls block the calling thread for at most `timeout_s`, or until another thread calls `expire`, and raise
    CallError. Nothing is connected before the first call.
    `elapsed_s` is how long the latest one took, measured tightly around it. With `tls` the connection is encrypted, and
    only then each call may bear a `token`.
    """

    def __init__(self, target: str, tls: grpc.ChannelCredentials | None = None, token: str = "") -> None:
        if token and tls is None:
            raise ValueError("a token is not sent over a connection that anybody can read")
        self.elapsed_s = 0.0
        self._closed = self._expired = False
        self._metadata = (("authorization", f"Bearer {token}"),) if token else None
        if tls is None:
            self._channel = grpc.insecure_channel(target, options=OPTIONS)
        else:
            self._channel = grpc.secure_channel(target, tls, options=OPTIONS)
        self._describe: Method = self._channel.unary_unary(SERVICE + "Describe")
        self._take_turn: Method = self._channel.unary_unary(SERVICE + "TakeTurn")
        self._take_turns: Method = self._channel.unary_unary(SERVICE + "TakeTurns")
        self._conclude: Method = self._channel.unary_unary(SERVICE + "Conclude")

    def describe(self, timeout_s: float, *, wait_for_ready: bool = True) -> Description:
        """Ask who the bot is. Alone of all calls it can wait, within its limit, for a bot that does not listen yet."""
        request = pb.DescribeRequest(protocol_versions=[PROTOCOL_VERSION]).SerializeToString()
        raw = self._call(self._describe, request, timeout_s, wait_for_ready=wait_for_ready)
        try:
            reply = pb.DescribeResponse.FromString(raw)
        except DecodeError as error:
            raise CallError(CallErrorKind.UNREADABLE, f"{len(raw)} bytes are no DescribeResponse") from error
        return Description(
            name=reply.name,
            version=reply.version,
            authors=tuple(reply.authors),
            protocol_versions=tuple(reply.protocol_versions) or (PROTOCOL_VERSION,),
            max_batch=max(1, reply.max_batch),
            wants_legal_discards=reply.wants_legal_discards,
            wants_conclude=reply.wants_conclude,
        )

    def take_turn(self, raw: bytes, timeout_s: float) -> tuple[Answer, ...]:
        """Put one question, a serialised `TakeTurnRequest`; the one answer."""
        reply = self._call(self._take_turn, raw, timeout_s)
        try:
            return decode_turn(reply)
        except Undecodable as error:
            raise CallError(CallErrorKind.UNREADABLE, str(error)) from error

    def take_turns(self, raw: bytes, timeout_s: float) -> tuple[Answer, ...]:
        """Put many questions, a serialised `TakeTurnsRequest`; the answers in whatever order and number they came."""
        reply = self._call(self._take_turns, raw, timeout_s)
        try:
            return decode_turns(reply)
        except Undecodable as error:
            raise CallError(CallErrorKind.UNREADABLE, str(error)) from error

    def conclude(self, raw: bytes, timeout_s: float) -> None:
        """Tell how a match ended, a serialised `ConcludeRequest`; what the bot replies is ignored."""
        self._call(self._conclude, raw, timeout_s)

    def expire(self) -> None:
        """The call in flight in another thread has missed its deadline; nothing can be called any more."""
        self._expired = True
        self._channel.close()

    def close(self) -> None:
        """Drop the connection; a call in flight in another thread ends as UNAVAILABLE."""
        self._closed = True
        self._channel.close()

    def _call(self, method: Method, raw: bytes, timeout_s: float, *, wait_for_ready: bool = False) -> bytes:
        began = time.monotonic()
        try:
            reply: bytes | None = method(raw, timeout=timeout_s, wait_for_ready=wait_for_ready, metadata=self._metadata)
        except (grpc.RpcError, ValueError) as error:  # a ValueError is what gRPC says to a call on a closed channel
            self.elapsed_s = time.monotonic() - began
            if self._closed:
                raise CallError(CallErrorKind.UNAVAILABLE, CLOSED) from None
            if self._expired:
                raise CallError(CallErrorKind.DEADLINE, f"no reply within {self.elapsed_s:.3f} s") from None
            if isinstance(error, ValueError):
                raise
            raise _call_error(error, self.elapsed_s, timeout_s) from None
        self.elapsed_s = time.monotonic() - began
        if reply is None:  # so gRPC tells of a status OK that no message came before
            raise CallError(CallErrorKind.UNREADABLE, "a success without a message")
        return reply


def _call_error(error: grpc.RpcError, elapsed_s: float, timeout_s: float) -> CallError:
    """Tell apart what gRPC itself found and what the bot said: both come as a status."""
    code = error.code()
    text = " ".join((error.details() or "").split())
    detail = text if len(text) <= MOST_DETAIL else text[:MOST_DETAIL] + "…"
    if code == grpc.StatusCode.DEADLINE_EXCEEDED and elapsed_s >= timeout_s - EARLY_S:
        return CallError(CallErrorKind.DEADLINE, f"no reply within {timeout_s:.3f} s")
    if code == grpc.StatusCode.UNAVAILABLE:
        return CallError(CallErrorKind.UNAVAILABLE, detail)
    if code == grpc.StatusCode.UNIMPLEMENTED:
        return CallError(CallErrorKind.UNIMPLEMENTED, detail)
    if code == grpc.StatusCode.RESOURCE_EXHAUSTED and any(words in text for words in REFUSED_BY_US):
        return CallError(CallErrorKind.UNREADABLE, detail)
    return CallError(CallErrorKind.STATUS, f"{code.name} {detail}".rstrip())
