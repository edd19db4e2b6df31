"""A bot that misbehaves as it is told, on its command line, and plays sensibly otherwise.

Of its life:    exit-at-import:STATUS  never-listens  listens-only  ignore-term  daemon:FILE  banner:BYTES
                no-describe  protocol:N  max-batch:N  no-batch  wants-conclude:FILE  slow-conclude:MS  turns-file:FILE
                clock-file:FILE  ponder  chatter  speaks:garbage  speaks:http1  speaks:settings (and nothing after it)
                wants-legal (and then throws the last of its legal discards)
Of its turns:   hang  hang-together:FILE  spin  burn:MS  bomb  exit:STATUS  kill  raise  refuse:LENGTH  stop  slow:MS
                hog  spam  hog-later  spam-later (between calls)  stderr:BYTES  stale  empty  no-take  unknown-card
                twice  none  huge  metadata  illegal:REASON
A word of the second kind may end in @N and then holds for the N-th question of a process only, from 1.

It uses neither the kit for bots nor the rules, so that it can break them.
"""

from __future__ import annotations

import itertools
import logging
import os
import signal
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

WORDS = {name: argument for name, _, argument in (word.partition(":") for word in sys.argv[1:])}
ADDRESS = os.environ["ARENA_BOT_ADDRESS"]


def make_daemon(file: str) -> None:
    """Leave a process behind in a session of its own, its number in `file`."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            Path(file).write_text(str(os.getpid()))
            time.sleep(3600)
        os._exit(0)
    os.wait()
    while not Path(file).exists() or not Path(file).read_text():
        time.sleep(0.001)


def begin() -> None:
    """What is told of the bot's life before it listens."""
    if "ignore-term" in WORDS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if "banner" in WORDS:
        noise(int(WORDS["banner"]))
    if "daemon" in WORDS:
        make_daemon(WORDS["daemon"])
    if "exit-at-import" in WORDS:
        sys.stderr.write("this bot gives up\n")
        sys.exit(int(WORDS["exit-at-import"]))
    if "never-listens" in WORDS:
        time.sleep(3600)
    if "listens-only" in WORDS:
        silent = socket.socket(socket.AF_UNIX)
        silent.bind(ADDRESS.removeprefix("unix:"))
        silent.listen()
        time.sleep(3600)
    if "speaks" in WORDS:
        speak(WORDS["speaks"])
    if "ponder" in WORDS and os.fork() == 0:  # burns a core also while it is not asked
        while True:
            pass
    if "chatter" in WORDS:  # prints also while it answers
        threading.Thread(target=spam, daemon=True).start()


def speak(language: str) -> None:
    """Greet every connection in another language than gRPC's, and then say nothing."""
    greetings = {
        "garbage": bytes(range(256)) * 40,
        "http1": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "settings": b"\0\0\0\4\0\0\0\0\0",
    }
    server = socket.socket(socket.AF_UNIX)
    server.bind(ADDRESS.removeprefix("unix:"))
    server.listen()
    connections = []
    while True:
        connections.append(server.accept()[0])
        connections[-1].sendall(greetings[language])


def hog() -> None:
    """Takes memory until somebody ends it."""
    taken = []
    while True:
        taken.append(b"x" * (1 << 20))


def spam() -> None:
    """Prints for ever."""
    while True:
        noise(1 << 20)


def noise(size: int) -> None:
    """`size` bytes on stderr, some of them no UTF-8."""
    line = b"\xff\xfe noise " + b"." * 90 + b"\n"
    while size > 0:
        size -= os.write(2, (line * 600)[:size])


if __name__ == "__main__":
    begin()

import grpc  # noqa: E402 - only when the bot is to get that far

from arena.wire.v1 import bot_pb2 as pb  # noqa: E402


def value(card: int) -> int:
    return min((card - 1) % 13 + 1, 10)


def sensible(seen: pb.Observation, reply: pb.TakeTurnResponse) -> None:
    """The greatest card out, from the closed deck; declares at five or less."""
    if seen.may_declare and sum(map(value, seen.hand)) <= 5:
        reply.declare.SetInParent()
        return
    if "wants-legal" in WORDS:
        reply.play.discard.extend(seen.legal_discards[-1].cards)
    else:
        reply.play.discard.append(max(seen.hand, key=value))
    if seen.may_take_closed:
        reply.play.closed.SetInParent()
    else:
        reply.play.open = seen.open[0]


def illegal(reason: str, seen: pb.Observation, reply: pb.TakeTurnResponse) -> None:
    """Breaks the rule `reason` where the position allows it."""
    play: Any = reply.play
    others = [card for card in range(1, 53) if card not in seen.hand]
    if reason == "EMPTY_DISCARD":
        del play.discard[:]
    elif reason == "CARD_NOT_HELD":
        play.discard[:] = others[:1]
    elif reason == "NOT_A_SET":
        pairs = itertools.combinations(seen.hand, 2)
        play.discard[:] = next((pair for pair in pairs if (pair[0] - pair[1]) % 13), seen.hand[:1])
    elif reason == "CARD_NOT_OPEN":
        play.open = next(card for card in range(1, 53) if card not in seen.open)
    elif reason == "CLOSED_DECK_EMPTY":
        play.closed.SetInParent()
    elif reason == "DECLARE_ON_FIRST_TURN" and not seen.may_declare:
        reply.declare.SetInParent()


def before_answer(words: dict[str, str], context: grpc.ServicerContext) -> None:
    """What happens instead of an answer, or before it."""
    if "turns-file" in WORDS:
        with Path(WORDS["turns-file"]).open("a") as file:
            file.write(f"{os.getpid()}\n")
    if "stderr" in words:
        noise(int(words["stderr"]))
    if "slow" in words:
        time.sleep(int(words["slow"]) / 1000)
    if "hog" in words:
        hog()
    if "spam" in words:
        spam()
    if "hang" in words:
        time.sleep(3600)
    while "spin" in words:
        pass
    if "burn" in words:
        until = time.process_time() + int(words["burn"]) / 1000
        while time.process_time() < until:
            pass
    if "stop" in words:
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(3600)  # the signal may reach another thread first
    if "exit" in words:
        os._exit(int(words["exit"] or 1))
    if "kill" in words:
        os.kill(os.getpid(), signal.SIGKILL)
    if "raise" in words:
        raise RuntimeError("a secret of the author")
    if "refuse" in words:
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "no " * (int(words["refuse"]) // 3))
    if "metadata" in words:
        context.set_trailing_metadata((("x-much", "m" * 3_000_000),))


def answer(request: pb.TakeTurnRequest, words: dict[str, str]) -> pb.TakeTurnResponse:
    reply = pb.TakeTurnResponse(table=request.table, turn=request.turn)
    sensible(request.observation, reply)
    if words.keys() & {"illegal", "unknown-card", "no-take", "twice"} and not reply.HasField("play"):
        reply.play.discard.append(request.observation.hand[0])
        reply.play.closed.SetInParent()
    if "stale" in words:
        reply.turn += 1
    if "empty" in words:
        reply.ClearField("action")
    if "no-take" in words:
        reply.play.ClearField("take")
    if "unknown-card" in words:
        reply.play.discard[:] = [cast(pb.Card, 99)]
    if "twice" in words:
        reply.play.discard[:] = [request.observation.hand[0]] * 2
    if "illegal" in words:
        illegal(words["illegal"], request.observation, reply)
    return reply


class Bot:
    """The four methods, on bytes."""

    def __init__(self) -> None:
        self._count = itertools.count(1)

    def _words(self) -> dict[str, str]:
        """The words that hold for the next question."""
        number = str(next(self._count))
        words = {}
        for word in sys.argv[1:]:
            text, _, only = word.partition("@")
            if not only or only == number:
                name, _, argument = text.partition(":")
                words[name] = argument
        return words

    def describe(self, _: bytes, __: grpc.ServicerContext) -> bytes:
        if "no-describe" in WORDS:
            time.sleep(3600)
        return pb.DescribeResponse(
            name="scripted",
            version="1",
            protocol_versions=[int(WORDS.get("protocol", "1"))],
            max_batch=int(WORDS.get("max-batch", "64")),
            wants_legal_discards="wants-legal" in WORDS,
            wants_conclude="wants-conclude" in WORDS or "slow-conclude" in WORDS,
        ).SerializeToString()

    def take_turn(self, raw: bytes, context: grpc.ServicerContext) -> bytes:
        words = self._words()
        before_answer(words, context)
        if "bomb" in words:
            context.set_compression(grpc.Compression.Gzip)
            return bytes(50_000_000)
        if "huge" in words:
            return bytes(50_000_000)
        if "none" in words:
            return b""
        for word, act in (("hog-later", hog), ("spam-later", spam)):
            if word in words:
                threading.Timer(0.1, act).start()
        return answer(pb.TakeTurnRequest.FromString(raw), words).SerializeToString()

    def take_turns(self, raw: bytes, context: grpc.ServicerContext) -> bytes:
        if "no-batch" in WORDS:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "one at a time")
        if "hang-together" in WORDS:
            Path(WORDS["hang-together"]).touch()
            time.sleep(3600)
        replies = pb.TakeTurnsResponse()
        for request in pb.TakeTurnsRequest.FromString(raw).turns:
            words = self._words()
            before_answer(words, context)
            if "huge" in words:
                return bytes(50_000_000)
            if "none" not in words:
                replies.turns.append(answer(request, words))
        return replies.SerializeToString()

    def conclude(self, raw: bytes, _: grpc.ServicerContext) -> bytes:
        time.sleep(int(WORDS.get("slow-conclude", "0")) / 1000)
        if "wants-conclude" in WORDS:
            with Path(WORDS["wants-conclude"]).open("ab") as file:
                file.write(b"%d\n" % pb.ConcludeRequest.FromString(raw).table)
        return b""


def timed(method: Any) -> Any:
    """The method, writing down with `clock-file` how many seconds each call took by the bot's own clock."""
    if "clock-file" not in WORDS:
        return method
    file = Path(WORDS["clock-file"]).open("a", buffering=1)  # noqa: SIM115  open as long as the bot lives

    def measured(raw: bytes, context: grpc.ServicerContext) -> bytes:
        began = time.monotonic()
        reply: bytes = method(raw, context)
        file.write(f"{time.monotonic() - began:.6f}\n")
        return reply

    return measured


def main() -> None:
    logging.basicConfig()  # a traceback of its own goes to stderr
    bot = Bot()
    methods: dict[str, Any] = {
        "Describe": bot.describe, "TakeTurn": timed(bot.take_turn), "TakeTurns": bot.take_turns,
        "Conclude": bot.conclude,
    }  # fmt: skip
    handlers: dict[str, Any] = {name: grpc.unary_unary_rpc_method_handler(method) for name, method in methods.items()}
    server = grpc.server(ThreadPoolExecutor(1), options=[("grpc.max_send_message_length", -1)])
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("arena.v1.BotService", handlers)])
    server.add_insecure_port(ADDRESS)
    server.start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
