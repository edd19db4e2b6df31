"""How bots are prepared, started, refused with a reason, and ended."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from arena.bots.address import LoopbackAddress, UnixAddress
from arena.bots.errors import BuildError, PackageError, StartError
from arena.bots.folders import BotFolder, open_folder
from arena.bots.launcher import Launcher
from arena.bots.package import folder_digest
from arena.bots.ring import OutputRing
from arena.match.limits import ProcessLimits
from tests.arena_bots.conftest import LISTEN, LISTENER, Prepare, Start, alive, resources
from tests.bots.making import make_bot


def test_a_bot_sees_its_address_and_little_else_of_the_environment(
    prepare: Prepare, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET", "canary")
    show = LISTEN + "import json; print(json.dumps([dict(os.environ), os.getcwd()]), flush=True); s.accept()"
    process = start(prepare(["python", "-I", "-S", "-c", show]))
    while not process.output.lines():
        assert not process.gone()
    environment, folder = json.loads(process.output.lines()[0].text)
    run_folder = Path(folder).parent
    assert isinstance(process.address, UnixAddress)
    assert process.address.path == run_folder / "s"
    assert environment.pop("PATH").split(os.pathsep)[0] == str(Path(sys.executable).parent)
    for name in ("PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"):  # what a shell and Python add
        environment.pop(name, None)
    assert environment == {
        "ARENA_BOT_ADDRESS": f"unix:{run_folder}/s",
        "HOME": f"{run_folder}/home",
        "TMPDIR": f"{run_folder}/tmp",
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    process.end()
    assert not run_folder.exists()


def test_a_bot_runs_in_a_copy_and_its_folder_keeps_its_digest(prepare: Prepare, start: Start, tmp_path: Path) -> None:
    spoil = "open('bot.toml', 'w').close(); open('new', 'w').close(); " + LISTEN + "s.accept()"
    bot = prepare(["python", "-I", "-S", "-c", spoil])
    for _ in range(2):
        start(bot).end()
    assert folder_digest(tmp_path / "bot", bot.manifest) == bot.digest
    assert folder_digest(bot.folder, bot.manifest) == bot.digest
    assert [path.name for path in (tmp_path / "bot").iterdir()] == ["bot.toml"]


def test_two_processes_of_a_bot_share_no_folder(prepare: Prepare, start: Start) -> None:
    bot = prepare(LISTENER)
    one, other = start(bot), start(bot)
    assert one.address != other.address
    one.end()
    assert other.address.listens()
    assert not one.address.listens()
    other.end()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["sh", "-c", "echo starting; echo no model found >&2; exit 3"],
         "exited with status 3 before it listened: no model found"),
        (["sh", "-c", "exit 0"], "exited with status 0 before it listened"),
        (["sh", "-c", "kill -9 $$"], "was killed by SIGKILL before it listened"),
        (["no-such-program"], "the program no-such-program of its command was not found: it was looked for in /"),
        (["./no-such-file"], "the program ./no-such-file of its command was not found"),
        (["./bot.toml"], "./bot.toml may not be run; give it the run bit (chmod +x)"),
        (["python", "nowhere.py"], "exited with status 2 before it listened: "),
    ],
)  # fmt: skip
def test_a_bot_that_does_not_come_up_is_refused_with_the_reason(
    prepare: Prepare, start: Start, command: list[str], said: str
) -> None:
    with pytest.raises(StartError) as caught:
        start(prepare(command))
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("instead", ["", "open(a, 'w'); ", "os.symlink('/tmp', a); "])
def test_only_a_socket_counts_and_only_within_the_limit(tmp_path: Path, instead: str) -> None:
    wait = f"import os, time; a = os.environ['ARENA_BOT_ADDRESS'][5:]; {instead}time.sleep(60)"
    bot = open_folder(make_bot(tmp_path / "bot", ["python", "-I", "-S", "-c", wait]))
    with Launcher(ProcessLimits(start_ms=150)) as launcher:
        began = time.monotonic()
        with pytest.raises(StartError, match=r"did not listen within 0\.15 s"):
            launcher.start(launcher.prepare(bot), OutputRing(), threading.Event())
        assert time.monotonic() - began < 2


def test_a_start_can_be_cancelled(launcher: Launcher, prepare: Prepare) -> None:
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(StartError, match="was ended while it started"):
        launcher.start(prepare(["sleep", "60"]), OutputRing(), cancelled)


def test_the_end_is_asked_for_first_and_forced_after_the_limit(prepare: Prepare, start: Start) -> None:
    polite = start(prepare(["python", "-I", "-S", "-c", LISTEN + "s.accept()"], "polite"))
    polite.end(grace_s=5)
    assert polite.how_it_ended() == "was killed by SIGTERM"
    deaf = LISTEN.replace("s.bind", "import signal; signal.signal(15, signal.SIG_IGN); s.bind")
    stubborn = start(prepare(["python", "-I", "-S", "-c", deaf + "s.accept()"], "stubborn"))
    stubborn.end(grace_s=0.1)
    assert stubborn.how_it_ended() == "was killed by SIGKILL"


def test_memory_beyond_what_the_manifest_allows_is_refused(prepare: Prepare, start: Start) -> None:
    with pytest.raises(StartError, match=r"exceeded its limit of memory before it listened: .*memory: \d+ MB of 64\]"):
        start(
            prepare(["python", "-I", "-S", "-c", "x = [b'x' * 10**6 for _ in range(10**6)]"], limits={"memory_mb": 64})
        )


def test_where_a_socket_path_would_be_too_long_a_loopback_port_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    listen = (
        "import os,socket; h,p=os.environ['ARENA_BOT_ADDRESS'].split(':'); s=socket.socket(); "
        "s.bind((h,int(p))); s.listen(); s.accept(); s.accept()"
    )
    with Launcher(ProcessLimits()) as launcher:
        bot = launcher.prepare(open_folder(make_bot(tmp_path / "bot", ["python", "-I", "-S", "-c", listen])))
        process = launcher.start(bot, OutputRing(), threading.Event())
        assert isinstance(process.address, LoopbackAddress)
        process.end()
        assert not process.address.listens()


def test_a_build_happens_once_and_what_it_made_is_in_every_copy(prepare: Prepare, start: Start, tmp_path: Path) -> None:
    log = tmp_path / "builds"
    bot = prepare(
        ["python", "-I", "-S", "-c", "open('.made/it').close(); " + LISTEN + "s.accept()"],
        build=["sh", "-c", f"mkdir .made && echo built > .made/it && echo x >> {log}"],
    )
    for _ in range(2):
        start(bot).end()
    assert log.read_text() == "x\n"
    assert not (tmp_path / "bot" / ".made").exists()


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (["sh", "-c", "echo main.c:1: error >&2; exit 2"], "bot: the build exited with status 2: main.c:1: error"),
        (["no-such-compiler"], "bot: the program no-such-compiler of its build was not found: it was looked for in /"),
        (["./no-such-file"], "bot: the program ./no-such-file of its build was not found"),
    ],
)
def test_a_failed_build_is_told_with_its_last_line(prepare: Prepare, build: list[str], said: str) -> None:
    with pytest.raises(BuildError) as caught:
        prepare(["true"], build=build)
    assert str(caught.value).startswith(said)


def test_a_folder_that_changed_since_it_was_read_is_refused(launcher: Launcher, tmp_path: Path) -> None:
    bot: BotFolder = open_folder(make_bot(tmp_path / "bot", ["true"]))
    (bot.path / "more.py").touch()
    with pytest.raises(PackageError, match="was changed while it was read"):
        launcher.prepare(bot)


def test_closing_the_launcher_ends_what_still_runs(tmp_path: Path) -> None:
    bot = open_folder(make_bot(tmp_path / "bot", LISTENER))
    before = resources()
    with pytest.raises(RuntimeError, match="something else"), Launcher(ProcessLimits()) as launcher:
        process = launcher.start(launcher.prepare(bot), OutputRing(), threading.Event())
        folder = launcher.prepare(bot).folder
        raise RuntimeError("something else")
    assert process.gone(1)
    assert not folder.parent.parent.exists()
    process.end()
    assert resources() == before


def test_many_starts_leave_nothing(prepare: Prepare, start: Start) -> None:
    bot, broken = prepare(LISTENER), prepare(["sh", "-c", "exit 1"], "broken")
    start(bot).end()
    before = resources()
    folders = len(list(bot.folder.parent.parent.iterdir()))
    for _ in range(20):
        process = start(bot)
        pid = process.pid
        process.end()
        assert not alive(pid)
        with pytest.raises(StartError):
            start(broken)
    assert resources() == before
    assert len(list(bot.folder.parent.parent.iterdir())) == folders
