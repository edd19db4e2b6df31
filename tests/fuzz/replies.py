"""Replies of strangers: valid ones, valid ones with damage, and bytes that never were any."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from arena.wire.client import MOST_REPLY_BYTES
from arena.wire.v1 import bot_pb2 as pb

NUMBERS = st.one_of(st.integers(0, 60), st.integers(-(2**31), 2**31 - 1))
TABLES = st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1))


@st.composite
def turns(draw: st.DrawFn) -> pb.TakeTurnResponse:
    reply = pb.TakeTurnResponse(table=draw(TABLES), turn=draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["none", "declare", "play"]))
    if kind == "declare":
        reply.declare.SetInParent()
    elif kind == "play":
        reply.play.discard.extend(draw(st.lists(NUMBERS, max_size=8)))  # type: ignore[arg-type]
        take = draw(st.sampled_from(["none", "closed", "open"]))
        if take == "closed":
            reply.play.closed.SetInParent()
        elif take == "open":
            reply.play.open = draw(NUMBERS)  # type: ignore[assignment]
    return reply


def many_turns() -> st.SearchStrategy[pb.TakeTurnsResponse]:
    return st.lists(turns(), max_size=6).map(lambda replies: pb.TakeTurnsResponse(turns=replies))


@st.composite
def usual_turns(draw: st.DrawFn) -> bytes:
    """Many plays of cards as a program sends them, some with a little damage."""
    replies = pb.TakeTurnsResponse()
    for _ in range(draw(st.integers(1, 5))):
        reply = replies.turns.add(table=draw(TABLES), turn=draw(st.integers(0, 2**15)))
        reply.play.discard.extend(draw(st.lists(st.integers(1, 52), min_size=1, max_size=5)))  # type: ignore[arg-type]
        if draw(st.booleans()):
            reply.play.open = draw(st.integers(1, 52))  # type: ignore[assignment]
        else:
            reply.play.closed.SetInParent()
    raw = replies.SerializeToString()
    return draw(st.just(raw) | st.integers(0, 2**32).map(lambda seed: damage(raw, Random(seed))))


def descriptions() -> st.SearchStrategy[pb.DescribeResponse]:
    return st.builds(
        pb.DescribeResponse,
        name=st.text(max_size=20),
        version=st.text(max_size=20),
        authors=st.lists(st.text(max_size=9), max_size=4),
        protocol_versions=st.lists(st.integers(0, 2**32 - 1), max_size=4),
        max_batch=st.integers(0, 2**32 - 1),
        wants_conclude=st.booleans(),
    )


def valid() -> st.SearchStrategy[bytes]:
    messages: list[st.SearchStrategy[bytes]] = [
        turns().map(pb.TakeTurnResponse.SerializeToString),
        many_turns().map(pb.TakeTurnsResponse.SerializeToString),
        descriptions().map(pb.DescribeResponse.SerializeToString),
    ]
    return st.one_of(messages)


def damage(raw: bytes, chance: Random) -> bytes:
    """Change, take out, put in, double or cut off a few bytes."""
    spoilt = bytearray(raw)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(spoilt))
        until = min(len(spoilt), at + chance.randint(0, 6))
        kind = chance.randrange(5)
        if kind == 0 and at < len(spoilt):
            spoilt[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del spoilt[at:until]
        elif kind == 2:
            spoilt[at:at] = chance.randbytes(chance.randint(1, 6))
        elif kind == 3:
            spoilt[at:at] = spoilt[at:until] * chance.randint(1, 40)
        else:
            del spoilt[at:]
    return bytes(spoilt)


def anything() -> st.SearchStrategy[bytes]:
    damaged = st.builds(lambda raw, seed: damage(raw, Random(seed)), valid(), st.integers(0, 2**32))
    return st.one_of(valid(), damaged, st.binary(max_size=200))


def nested(depth: int) -> bytes:
    """A message in a message, so many times."""
    raw = b""
    for _ in range(depth):
        size, length = b"", len(raw)
        while length > 127:
            size, length = size + bytes([length & 127 | 128]), length >> 7
        raw = b"\x0a" + size + bytes([length]) + raw
    return raw


LARGEST = MOST_REPLY_BYTES - 8

HUGE = {
    "empty answers": b"\x0a\x00" * (LARGEST // 2),
    "empty authors": b"\x1a\x00" * (LARGEST // 2),
    "a discard of a million cards": b"\x1a" + b"\x84\x80\x40" + b"\x0a\x80\x80\x40" + b"\x01" * 2**20,
    "numbers one by one": b"\x20\x01" * (LARGEST // 2),
    "zeros": bytes(LARGEST),
    "ones": b"\xff" * LARGEST,
    "groups that never end": b"\x0b" * LARGEST,
    "nested messages": nested(20_000),
    "unknown fields": b"\xa0\x06\x01" * (LARGEST // 3),
    "a length beyond all": b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f" + bytes(1000),
}
"""Messages at the limit of what is read, each of a kind that costs its reader much."""
