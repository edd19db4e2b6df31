"""Keeps one hostile bot as an arena would, and prints what became of it; for arenas of other users and with other ends.

`python keeping.py LEVEL FOLDER SECONDS [COUNT]` starts the bot in FOLDER (COUNT times), prints "ready" and, after it
ended by itself or SECONDS have passed (0: it has said something), a line of JSON: what it printed, the limit that it
exceeded, how it ended.
"""

# ruff: noqa: T201  its output is what it is for

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

from arena.bots.errors import StartError
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.ring import OutputRing
from arena.bots.sandbox import level_named
from arena.match.limits import ProcessLimits


def main(level: str, folder: str, seconds: str, count: str = "1") -> None:
    ring = OutputRing()
    with Launcher(ProcessLimits(start_ms=5000), level_named(level)) as launcher:
        bot = launcher.prepare(open_folder(Path(folder)))
        try:
            processes = [launcher.start(bot, ring, threading.Event()) for _ in range(int(count))]
        except StartError as error:
            print(json.dumps({"lines": [line.text for line in ring.lines()], "exceeded": None, "ended": str(error)}))
            return
        print("ready", flush=True)
        process = processes[-1]
        gone = process.gone(float(seconds))
        while not (gone or float(seconds) or ring.lines()):
            gone = process.gone(0.01)
        exceeded = process.exceeded()
        ended = process.how_it_ended() if gone else ""
        for process in processes:
            process.end()
    lines = [line.text for line in ring.lines()]
    print(json.dumps({"lines": lines, "exceeded": exceeded and exceeded.limit, "ended": ended}))


if __name__ == "__main__":
    main(*sys.argv[1:])
