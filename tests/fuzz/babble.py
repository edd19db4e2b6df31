"""A bot that knows HTTP/2 well enough to break it: `python -I -S babble.py WAY SEED`, with the standard library only.

Its first reply on its first connection is in order (an empty message, which describes a bot and answers nothing); what
it says then is spoilt in the WAY that was asked for, drawn from SEED, and differs from reply to reply.
"""

from __future__ import annotations

import itertools
import os
import random
import socket
import struct
import sys
import threading
from collections.abc import Callable

DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 5, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4

OK = b"\x88"  # `:status 200` of the static table
KNOWN_ERRORS = 13
"""Reasons for a GOAWAY that the gRPC library has names for, from 0; HTTP/2 has one more."""

CONNECTION_PREFACE = 24
"""Bytes that a client says before its first frame."""


def frame(kind: int, flags: int, stream: int, payload: bytes, claimed: int | None = None) -> bytes:
    """A frame, which may claim another length than it has."""
    length = len(payload) if claimed is None else claimed
    return struct.pack(">I", length)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name: bytes, value: bytes) -> bytes:
    """A header that needs no table; both parts shorter than 16 kB."""
    return b"\x00" + text(name) + text(value)


def text(raw: bytes) -> bytes:
    if len(raw) < 127:
        return bytes([len(raw)]) + raw
    rest = len(raw) - 127
    size = b"\x7f"
    while rest > 127:
        size, rest = size + bytes([rest & 127 | 128]), rest >> 7
    return size + bytes([rest]) + raw


def head(stream: int, status: bytes = OK, kind: bytes = b"application/grpc") -> bytes:
    return frame(HEADERS, END_HEADERS, stream, status + literal(b"content-type", kind))


def message(stream: int, payload: bytes = b"", packed: int = 0, claimed: int | None = None) -> bytes:
    length = len(payload) if claimed is None else claimed
    return frame(DATA, 0, stream, bytes([packed]) + struct.pack(">I", length) + payload)


def tail(stream: int, status: bytes = b"0", said: bytes = b"") -> bytes:
    return frame(
        HEADERS, END_HEADERS | END_STREAM, stream, literal(b"grpc-status", status) + literal(b"grpc-message", said)
    )


def in_order(stream: int) -> bytes:
    return head(stream) + message(stream) + tail(stream)


def hang_up() -> bytes:
    raise EOFError


def go_away(reason: int) -> bytes:
    return frame(GOAWAY, 0, 0, struct.pack(">II", 0, reason) + b"bye" * 99)


def mutated(stream: int, chance: random.Random) -> bytes:
    raw = bytearray(in_order(stream))
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(raw))
        kind = chance.randrange(4)
        if kind == 0:
            raw[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            raw[at:at] = chance.randbytes(chance.randint(1, 9))
        elif kind == 2:
            del raw[at : at + chance.randint(1, 9)]
        else:
            raw[at:at] = raw[at:] * chance.randint(1, 5)
        raw = raw or bytearray(b"\0")
    return bytes(raw)


def any_frames(stream: int, chance: random.Random) -> bytes:
    """Frames of every kind but one, known or not, with any flags, for any stream."""
    said = b""
    for _ in range(chance.randint(1, 30)):
        payload = chance.randbytes(chance.choice([0, 1, 4, 5, 6, 8, 40, 300]))
        claimed = chance.choice([None, None, None, 0, 16_385, 2**24 - 1])
        number = chance.choice([0, stream, stream + 1, stream + 2, 2**31 - 1, 2**32 - 1])
        kind = chance.choice([kind for kind in range(12) if kind != GOAWAY])
        said += frame(kind, chance.randrange(256), number, payload, claimed)
    return said


WAYS: dict[str, Callable[[int, random.Random], bytes]] = {
    "mutated": mutated,
    "any-frames": any_frames,
    "noise": lambda _, chance: chance.randbytes(chance.randint(1, 20_000)),
    "a-long-frame": lambda stream, _: frame(DATA, 0, stream, b"", 2**24 - 1) + bytes(2**20),
    "a-long-message": lambda stream, _: head(stream) + message(stream, b"x" * 1000, claimed=2**32 - 1) + tail(stream),
    "data-without-end": lambda stream, _: head(stream) + message(stream, bytes(16_000)) * 64,
    "no-head": lambda stream, _: message(stream) + tail(stream),
    "no-tail": lambda stream, _: head(stream) + message(stream),
    "two-messages": lambda stream, _: head(stream) + message(stream) * 2 + tail(stream),
    "two-replies": lambda stream, _: in_order(stream) * 2,
    "no-message": lambda stream, _: head(stream) + tail(stream),
    "bad-gzip": lambda stream, chance: head(stream) + message(stream, chance.randbytes(90), packed=1) + tail(stream),
    "strange-status": lambda stream, chance: (
        head(stream)
        + tail(stream, chance.choice([b"banana", b"999", b"-1", b"", b"17", b"4", b"14"]), b"%ff%00\xff" * 99)
    ),
    "http-500": lambda stream, _: head(stream, b"\x8e", b"text/html") + frame(DATA, END_STREAM, stream, b"<html>oops"),
    "many-headers": lambda stream, _: (
        frame(HEADERS, 0, stream, OK) + frame(CONTINUATION, 0, stream, literal(b"x-much", b"m" * 9000)) * 40
    ),
    "bad-compression": lambda stream, chance: frame(HEADERS, END_HEADERS, stream, chance.randbytes(60)),
    "a-larger-table": lambda stream, _: frame(HEADERS, END_HEADERS, stream, b"\x3f\xff\xff\xff\x7f" + OK),
    "reset": lambda stream, chance: frame(RST_STREAM, 0, stream, struct.pack(">I", chance.randrange(20))),
    "go-away": lambda _, chance: go_away(chance.randrange(KNOWN_ERRORS)),
    "go-away-for-no-known-reason": lambda *_: go_away(KNOWN_ERRORS),
    "a-window-too-wide": lambda stream, _: frame(WINDOW_UPDATE, 0, stream, b"\x7f\xff\xff\xff") * 3,
    "a-window-of-nothing": lambda stream, _: frame(WINDOW_UPDATE, 0, 0, bytes(4)) + in_order(stream),
    "a-promise": lambda stream, _: frame(PUSH_PROMISE, END_HEADERS, stream, b"\0\0\0\2" + OK) + in_order(stream),
    "strange-settings": lambda stream, chance: frame(SETTINGS, 0, 0, chance.randbytes(6 * 9)) + in_order(stream),
    "pings": lambda stream, _: frame(PING, 0, 0, bytes(8)) * 2000 + in_order(stream),
    "silence": lambda *_: b"",
    "hang-up": lambda *_: hang_up(),
    "death": lambda *_: os.abort(),
}


def take(connection: socket.socket, size: int) -> bytes:
    """So many bytes. Raises EOFError when the other side has left."""
    got = b""
    while len(got) < size:
        part = connection.recv(size - len(got))
        if not part:
            raise EOFError
        got += part
    return got


class Babbler:
    """Serves a listening socket from threads of its own, until that is closed."""

    def __init__(self, server: socket.socket, way: str, seed: int, orderly: int = 1) -> None:
        self._server = server
        self._way = WAYS[way]
        self._chance = random.Random(seed)
        self._numbers = itertools.count()
        self._orderly = orderly

    def run(self) -> None:
        while True:
            try:
                connection = self._server.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection:
            try:
                connection.sendall(frame(SETTINGS, 0, 0, b""))
                take(connection, CONNECTION_PREFACE)
                while True:
                    self._hear(connection)
            except (OSError, EOFError):
                return

    def _hear(self, connection: socket.socket) -> None:
        start = take(connection, 9)
        length, kind, flags = int.from_bytes(start[:3], "big"), start[3], start[4]
        stream = int.from_bytes(start[5:], "big")
        payload = take(connection, length)
        if kind == SETTINGS and not flags & ACK:
            connection.sendall(frame(SETTINGS, ACK, 0, b""))
        elif kind == PING and not flags & ACK:
            connection.sendall(frame(PING, ACK, 0, payload))
        elif stream and kind in (DATA, HEADERS) and flags & END_STREAM:
            self._reply(connection, stream)

    def _reply(self, connection: socket.socket, stream: int) -> None:
        if next(self._numbers) < self._orderly:
            connection.sendall(in_order(stream))
        else:
            connection.sendall(self._way(stream, self._chance))


def main() -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind(os.environ["ARENA_BOT_ADDRESS"].removeprefix("unix:"))
    server.listen()
    Babbler(server, sys.argv[1], int(sys.argv[2])).run()


if __name__ == "__main__":
    main()
