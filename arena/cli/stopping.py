"""How a command that plays is stopped: by Ctrl-C, SIGTERM or SIGHUP alike, once, and undisturbed by more of them."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

STANDARD_INPUT = 0

PATIENCE_S = 1.0
"""A signal that follows another so soon is the same wish."""


@contextlib.contextmanager
def stopping_cleanly() -> Iterator[None]:
    """Let SIGTERM and SIGHUP stop like Ctrl-C: by KeyboardInterrupt, which passes through every `finally`.

    A signal that is ignored stays so: whoever starts a command with `nohup` wants it to outlive the terminal. A second
    signal is passed over, but not for ever: Python loses an exception that strikes while it frees an object. After a
    stop all of them stay ignored, since the process is about to end.
    """
    heard: list[float] = []

    def stop(_number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if not heard or now - heard[-1] > PATIENCE_S:
            heard.append(now)
            raise KeyboardInterrupt

    wanted = [number for number in _signals() if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in wanted}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if heard else handler)


def stop_at_eof() -> None:
    """From here on the end of the standard input asks this process to stop: whoever held its other end has ended."""

    def wait() -> None:
        while os.read(STANDARD_INPUT, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="standard input", daemon=True).start()


def ignore_stops() -> None:
    """From here on nothing more disturbs the end of this process."""
    for number in _signals():
        signal.signal(number, signal.SIG_IGN)


def _signals() -> list[int]:
    """The signals that ask a command to stop, as far as this system has them."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return [number for name in names if (number := getattr(signal, name, None)) is not None]
