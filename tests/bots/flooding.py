"""A bot that floods its connection with frames of HTTP/2, as told, while it answers as a scripted bot does:
`python flooding.py KIND WHEN BYTES GAP_MS WORD…`, with the words of `scripted.py`.

It stands between the arena and a scripted bot of its own, passes on what either says, and puts BYTES of its own in
between every GAP_MS: KIND is `ping`, which must be answered, or `unknown`, which must be ignored; WHEN is
`always`, `resting` (between two calls) or `asked`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

FRAMES = {
    "ping": b"\0\0\x08\x06\0\0\0\0\0" + b"12345678",
    "unknown": b"\0\0\0\xfe\0\0\0\0\0",
}
HEADERS, END_STREAM = 1, 1


class Relay:
    """Passes on what two sides of a connection say, and floods the one that asks."""

    def __init__(self, asking: socket.socket, answering: socket.socket, kind: str, when: str) -> None:
        self._asking = asking
        self._answering = answering
        self._frame = FRAMES[kind]
        self._when = when
        self._lock = threading.Lock()
        self._asked = False
        self._greeted = threading.Event()

    def run(self, size: int, gap_s: float) -> None:
        """Until one side has enough."""
        for job in (self._pass_questions, self._pass_answers):
            threading.Thread(target=self._until_the_end, args=(job,), daemon=True).start()
        flood = self._frame * (size // len(self._frame))
        self._greeted.wait()
        self._until_the_end(lambda: self._flood(flood, gap_s))

    def _until_the_end(self, job: Callable[[], None]) -> None:
        with suppress(OSError):
            job()
        for side in (self._asking, self._answering):
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)

    def _flood(self, flood: bytes, gap_s: float) -> None:
        while True:
            began = time.monotonic()
            if self._when in ("always", "asked" if self._asked else "resting"):
                with self._lock:
                    self._asking.sendall(flood)
            time.sleep(max(0.0, began + gap_s - time.monotonic()))

    def _pass_questions(self) -> None:
        while data := self._asking.recv(1 << 20):
            if data[3] == HEADERS:
                self._asked = True
            self._answering.sendall(data)

    def _pass_answers(self) -> None:
        file = self._answering.makefile("rb")
        while head := file.read(9):
            frame = head + file.read(int.from_bytes(head[:3]))
            with self._lock:
                self._asking.sendall(frame)
            answered = head[3] == HEADERS and head[4] & END_STREAM
            if answered:
                self._asked = False
            if answered or self._when != "resting":
                self._greeted.set()


def main(kind: str, when: str, size: str, gap_ms: str, *words: str) -> None:
    place = os.environ["ARENA_BOT_ADDRESS"].removeprefix("unix:")
    inner = f"{place}.inner"
    scripted = Path(__file__).with_name("scripted.py")
    environment = os.environ | {"ARENA_BOT_ADDRESS": f"unix:{inner}"}
    subprocess.Popen([sys.executable, str(scripted), *words], env=environment)
    while not os.path.exists(inner):  # noqa: PTH110
        time.sleep(0.01)
    server, answering = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    server.bind(place)
    server.listen()
    asking, _ = server.accept()
    answering.connect(inner)
    Relay(asking, answering, kind, when).run(int(size), float(gap_ms) / 1000)


if __name__ == "__main__":
    main(*sys.argv[1:])
