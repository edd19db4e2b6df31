"""The least that gRPC can do: a call with as many bytes as a turn, to a Python program that answers at once.

The pings go to as many programs as a table has seats, one after the other, once with one call in flight and once with
as many as this machine has cores.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import grpc

from arena.fleet.setups import usable_cores

REQUEST, REPLY = bytes(350), bytes(24)
"""As long as a turn's."""

TIMEOUT_S = 30
AT_ONCE = 50
"""Pings between two looks at the clock."""

Call = Callable[[], object]
"""Asks a program and waits for its answer."""

PROGRAM = f"""
import os, sys
from concurrent.futures import ThreadPoolExecutor
import grpc
answer = grpc.unary_unary_rpc_method_handler(lambda raw, context: bytes({len(REPLY)}))
handler = grpc.method_handlers_generic_handler("ping", {{"Ping": answer}})
server = grpc.server(ThreadPoolExecutor(1), handlers=[handler])
server.add_insecure_port(os.environ["ADDRESS"])
server.start()
sys.stdin.read()
os._exit(0)
"""
"""Ends with its input."""


def measure(programs: int, seconds: float) -> Generator[dict[str, float]]:
    """Microseconds a ping."""
    cores = len(usable_cores())
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        calls = [_open(opened, f"unix:{folder}/{number}") for number in range(programs)]
        pool = opened.enter_context(ThreadPoolExecutor(cores))
        one_by_one(calls, seconds)
        while True:
            alone = one_by_one(calls, seconds)
            yield {f"ping/{programs}": alone, f"pings in flight/{programs}": in_flight(pool, cores, calls, seconds)}


def _open(opened: ExitStack, address: str) -> Call:
    """Start a program."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, env={**os.environ, "ADDRESS": address}
    )
    opened.callback(program.communicate)
    channel = opened.enter_context(grpc.insecure_channel(address))
    method: Any = channel.unary_unary("/ping/Ping")
    method(REQUEST, timeout=TIMEOUT_S, wait_for_ready=True)
    return partial(method, REQUEST, timeout=TIMEOUT_S)


def one_by_one(calls: Sequence[Call], seconds: float) -> float:
    """Microseconds a call with one in flight."""
    began = time.perf_counter()
    pings = _pings(calls, began + seconds)
    return (time.perf_counter() - began) / pings * 1e6


def in_flight(pool: ThreadPoolExecutor, most: int, calls: Sequence[Call], seconds: float) -> float:
    """Microseconds a call with `most` in flight, each of a thread that begins with another program."""
    began = time.perf_counter()
    rounds = [[*calls[first % len(calls) :], *calls[: first % len(calls)]] for first in range(most)]
    pings = sum(pool.map(lambda order: _pings(order, began + seconds), rounds))
    return (time.perf_counter() - began) / pings * 1e6


def _pings(calls: Sequence[Call], until: float) -> int:
    pings, order = 0, itertools.cycle(calls)
    while time.perf_counter() < until:
        for call in itertools.islice(order, AT_ONCE):
            call()
        pings += AT_ONCE
    return pings
