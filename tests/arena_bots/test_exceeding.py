"""A bot that takes more than its limits is stopped, called by the limit, and harms no other."""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path

import pytest

from arena.bots import watchdog
from arena.bots.folders import open_folder
from arena.bots.launcher import BotProcess, Launcher
from arena.bots.manifest import BotLimits
from arena.bots.ring import KEPT_HEAD, KEPT_TAIL, OutputRing
from arena.bots.usage import MOST_INODES, SPARE, Exceeded, Space, Usage, judge
from arena.match.limits import ProcessLimits
from arena.wire.client import BotClient, CallError
from tests.arena_bots.sandboxes import LEVELS, LEVELS_AND_USER, level, running, suffer, survivors
from tests.bots.making import make_hostile
from tests.needs import needs

LONG_S = 20.0
"""No test waits so long, unless what it waits for never comes."""


@pytest.mark.parametrize("kept", LEVELS_AND_USER)
@pytest.mark.parametrize(
    ("act", "limit"),
    [
        (["fork-bomb"], "processes"),
        (["thread-bomb"], "processes"),
        (["heap"], "memory"),
        (["shared"], "memory"),
        (["at-once"], "memory"),
        (["files"], "files"),
        (["files-and-die"], "files"),
        (["large"], "files"),
        (["inodes", "/tmp"], "files"),
        (["inodes", "/dev/shm"], "files"),
    ],
    ids=lambda value: "-".join(value).replace("/", "") if isinstance(value, list) else value,
)
def test_whoever_exceeds_a_limit_is_stopped_and_called_by_it(
    tmp_path: Path, kept: str, act: list[str], limit: str
) -> None:
    memory_mb = 64 if limit == "memory" else 512  # copies of a process and empty files need some too
    fate = suffer(tmp_path / "bot", kept, "later", *act, seconds=LONG_S, memory_mb=memory_mb)
    assert f"exceeded its limit of {limit}" in fate.ended, fate


@pytest.mark.parametrize("kept", LEVELS_AND_USER)
@pytest.mark.parametrize(
    ("folder", "most_mb"), [("/tmp", 8), ("/dev/shm", 16), ("/run/arena", 0.0625), ("/bot", 0), ("/", 0), ("/dev", 0)]
)
def test_no_more_can_be_written_than_a_bot_may(tmp_path: Path, kept: str, folder: str, most_mb: float) -> None:
    assert suffer(tmp_path / "bot", kept, "fill", folder).said <= most_mb


@pytest.mark.parametrize("kept", LEVELS)
def test_the_kernel_stops_a_fork_bomb_also_while_nobody_looks(
    tmp_path: Path, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "EVERY_S", 3600.0)
    assert suffer(tmp_path / "bot", kept, "count-forks").said < 40 + SPARE


@pytest.mark.parametrize("kept", LEVELS)
def test_a_bomb_harms_no_other_and_leaves_nothing(tmp_path: Path, kept: str) -> None:
    token = f"token{os.getpid()}-{kept}"
    with Launcher(ProcessLimits(start_ms=5000), level(kept)) as launcher:
        quiet = launcher.start(
            launcher.prepare(open_folder(make_hostile(tmp_path / "quiet", "see"))), OutputRing(), threading.Event()
        )
        bomb = make_hostile(tmp_path / "bomb", "later", "fork-bomb")
        manifest = (bomb / "bot.toml").read_text().replace('"fork-bomb"', f'"fork-bomb", "{token}"')
        (bomb / "bot.toml").write_text(manifest)
        process = launcher.start(launcher.prepare(open_folder(bomb)), OutputRing(), threading.Event())
        while not process.gone():
            assert answers(quiet)
        process.end()
        assert survivors(token, 1.0) == []
        assert answers(quiet)
        quiet.end()


def answers(process: BotProcess) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(5.0)
        client.connect(process.address.target.removeprefix("unix:"))
        return client.recv(16) == b"here"


@pytest.mark.parametrize("kept", LEVELS)
def test_a_flood_of_output_is_called_that_and_little_of_it_is_kept(tmp_path: Path, kept: str) -> None:
    ring = OutputRing()
    with running(make_hostile(tmp_path / "bot", "later", "flood"), level(kept), ring) as process:
        assert isinstance(process, BotProcess)
        until = time.monotonic() + LONG_S
        while (exceeded := process.exceeded()) is None and time.monotonic() < until:
            assert not process.gone(0.01)
        assert exceeded is not None
        assert exceeded.limit == "output"
        assert sum(len(line.text) + 1 for line in ring.lines()) <= KEPT_HEAD + KEPT_TAIL + 100


@pytest.mark.parametrize("kept", LEVELS)
@pytest.mark.parametrize("kind", ["ping", "settings"])
def test_a_flood_of_control_frames_is_noticed_by_what_is_never_read(tmp_path: Path, kept: str, kind: str) -> None:
    with running(make_hostile(tmp_path / "bot", "later", "frames", kind), level(kept), OutputRing()) as process:
        assert isinstance(process, BotProcess)
        client = BotClient(process.address.target)
        with pytest.raises(CallError, match="UNAVAILABLE"):
            client.describe(LONG_S)
        client.close()
        assert process.gone(1.0)
        exceeded = process.exceeded()
        assert exceeded is not None
        assert exceeded.limit == "output"


@pytest.mark.slow
@needs("sandbox")
def test_a_flood_of_output_costs_the_arena_little(tmp_path: Path) -> None:
    ring = OutputRing()
    with running(make_hostile(tmp_path / "bot", "later", "flood"), "watchdog", ring) as process:
        assert isinstance(process, BotProcess)
        while not ring.flooding():
            assert not process.gone(0.01)
        share = 1.0
        for _ in range(8):  # what else happens on a busy machine can only add to it
            used = time.process_time()
            process.gone(1.0)
            share = min(share, time.process_time() - used)
            if share < 0.05:
                break
        assert share < 0.05


@pytest.mark.parametrize(
    ("used", "kept", "verdict"),
    [
        (Usage(400 << 20, 10, 20), Space(112 << 20, 10), None),
        (Usage(700 << 20, 10, 20), Space(112 << 20, 10), Exceeded("memory", "812 MB of 512")),
        (Usage(700 << 20, 101, 20), Space(0, 0), Exceeded("processes", "101 of 100")),
        (Usage(0, 1, 65), Space(0, 0), Exceeded("files", "65 open of 64")),
        (Usage(0, 1, 1), Space(0, MOST_INODES + 1), Exceeded("files", f"{MOST_INODES + 1} written of {MOST_INODES}")),
    ],
)
def test_the_verdict_names_the_limit_with_its_figures(used: Usage, kept: Space, verdict: Exceeded | None) -> None:
    assert judge(BotLimits(memory_mb=512, processes=100, files=64), used, kept) == verdict
