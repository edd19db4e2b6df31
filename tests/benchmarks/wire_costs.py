"""What a turn costs on its way: to read in the bot, over gRPC to `greedy` in its own process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from operator import attrgetter
from statistics import median
from typing import Any

from arena.bench.in_process import requests
from arena.game.variant import Variant
from arena.sdk import Observation
from arena.wire.client import BotClient
from arena.wire.codec import encode_turns
from arena.wire.v1 import bot_pb2 as pb
from tests.sample_bots.loading import SAMPLE_BOTS, load

MATCHES = 40
ROUNDS = 7
CALLS = 200
BATCHES = (1, 8, 64)
TIMEOUT_S = 30


def run() -> dict[str, Any]:
    """Medians over interleaved rounds, in microseconds a turn."""
    choose = load("greedy").choose
    raws = [raw for number in range(MATCHES) for raw in requests((choose, choose), seed(number), Variant())]
    messages = [pb.TakeTurnRequest.FromString(raw) for raw in raws]
    observations = list(map(Observation, messages))
    steps: dict[str, Callable[[], object]] = {
        "parse_us": lambda: exhaust(map(pb.TakeTurnRequest.FromString, raws)),
        "observation_us": lambda: exhaust(map(Observation, messages)),
        "history_us": lambda: exhaust(map(attrgetter("events"), observations)),
        "greedy_us": lambda: exhaust(map(choose, observations)),
    }
    rounds = [{name: seconds(step) / len(raws) * 1e6 for name, step in steps.items()} for _ in range(ROUNDS)]
    medians = {name: round(median(figures[name] for figures in rounds), 2) for name in steps}
    return {"bytes_a_request": round(sum(map(len, raws)) / len(raws))} | medians | calls(raws)


def calls(raws: list[bytes]) -> dict[str, float]:
    """Microseconds a turn by turns a call, one call at a time to one process."""
    with tempfile.TemporaryDirectory() as folder:
        target = f"unix:{folder}/bot"
        bot = subprocess.Popen(
            [sys.executable, "main.py"], cwd=SAMPLE_BOTS / "greedy", env={**os.environ, "ARENA_BOT_ADDRESS": target}
        )
        client = BotClient(target)
        try:
            client.describe(TIMEOUT_S)
            batches = {size: encode_turns(raws[:size]) for size in BATCHES}
            rounds = [
                {size: seconds(partial(call, client, batch)) / CALLS / size * 1e6 for size, batch in batches.items()}
                for _ in range(ROUNDS)
            ]
        finally:
            client.close()
            bot.terminate()
            bot.wait()
    return {f"call_of_{size}_us": round(median(figures[size] for figures in rounds), 1) for size in BATCHES}


def call(client: BotClient, batch: bytes) -> None:
    for _ in range(CALLS):
        client.take_turns(batch, TIMEOUT_S)


def exhaust(results: Iterable[object]) -> None:
    """Work them out and keep none, as a bot does."""
    deque(results, maxlen=0)


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def seed(number: int) -> bytes:
    return hashlib.sha256(f"wire-costs/{number}".encode()).digest()
