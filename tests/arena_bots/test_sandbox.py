"""What a hostile bot finds in its sandbox: nothing of the arena, nothing to break, and nobody else."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from arena.bots.address import UnixAddress
from arena.bots.errors import BuildError
from arena.bots.folders import open_folder
from arena.bots.launcher import Launcher
from arena.bots.ring import OutputRing
from arena.bots.sandbox import FIRST_UID
from arena.match.limits import ProcessLimits
from tests.arena_bots.conftest import LISTEN
from tests.arena_bots.sandboxes import LEVELS, LEVELS_AND_USER, USER, elsewhere, heard, level, running, suffer
from tests.bots.making import make_bot, make_hostile
from tests.needs import needs


@pytest.fixture
def canary() -> str:
    return "canary" + secrets.token_hex(8)


@pytest.mark.parametrize("kept", ["none", *LEVELS_AND_USER])
def test_a_secret_is_out_of_reach_of_a_spying_bot(tmp_path: Path, canary: str, kept: str) -> None:
    """Without a sandbox the spy finds all that was planted, or it would prove nothing."""
    open_place = Path("/tmp", canary[:-2])  # its name must not be found for the secret
    open_place.mkdir(mode=0o755)
    database = open_place / "arena.db"
    database.write_text(f"a database with {canary}")
    (open_place / "bot").mkdir()
    (open_place / "bot" / "plan.txt").write_text(f"another bot's {canary}")
    inherited = os.open(database, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as abstract, socket.socket() as server:
        abstract.bind("\0" + canary)
        abstract.listen()
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        try:
            bot = make_hostile(tmp_path / "bot", "spy", canary, str(open_place), str(port))
            fate = elsewhere(bot, kept, 0.0, (inherited,), {**os.environ, "A_SECRET": canary})
        finally:
            os.close(inherited)
            for path in (database, open_place / "bot" / "plan.txt"):
                path.unlink()
            (open_place / "bot").rmdir()
            open_place.rmdir()
    if kept == "none":
        assert {str(database), f"port {port}", "abstract socket"} <= set(fate.said)
        assert any(place.startswith("/proc/") and place.endswith("environ") for place in fate.said)
    else:
        assert fate.said == []


@pytest.mark.parametrize("kept", LEVELS_AND_USER)
def test_a_bot_sees_its_folder_and_nobody(tmp_path: Path, kept: str) -> None:
    seen = suffer(tmp_path / "bot", kept, "see").said
    assert seen["environment"] == [
        "ARENA_BOT_ADDRESS", "HOME", "LANG", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE", "TMPDIR"
    ]  # fmt: skip
    assert seen["descriptors"] == [0, 1, 2]
    assert seen["processes"] == [1, 2]
    assert seen["first process"] == []
    assert seen["networks"] == ["lo"]
    assert sorted(seen["here"]) == ["bot.toml", "hostile.py"]
    assert seen["groups"] == []
    assert set(seen["capabilities"]) == {"0" * 16}
    assert not seen["new privileges"]
    assert seen["host"] == "bot"
    own = seen["uid"] >= FIRST_UID if kept != USER and os.geteuid() == 0 else seen["uid"] == 65534
    assert own


@pytest.mark.parametrize("kept", LEVELS_AND_USER)
def test_nothing_that_a_bot_tries_breaks_out(tmp_path: Path, kept: str) -> None:
    assert suffer(tmp_path / "bot", kept, "break").said == []


@needs("sandbox", "root")
def test_two_processes_of_root_s_arena_are_two_users(tmp_path: Path) -> None:
    bot = make_hostile(tmp_path / "bot", "see")
    first, second = OutputRing(), OutputRing()
    with running(bot, "watchdog", first) as one, running(bot, "watchdog", second) as other:
        assert json.loads(heard(one, first))["uid"] != json.loads(heard(other, second))["uid"]


@pytest.mark.parametrize("kept", ["none", *LEVELS])
@pytest.mark.parametrize("act", [["link", "other"], ["plain"]])
def test_a_link_or_a_file_in_place_of_the_socket_gets_no_call(tmp_path: Path, kept: str, act: list[str]) -> None:
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(tmp_path / "s"))
        other.listen()
        other.setblocking(False)
        words = ["link", str(tmp_path / "s")] if act[0] == "link" else act
        with Launcher(ProcessLimits(start_ms=200), level(kept)) as launcher:
            bot = launcher.prepare(open_folder(make_hostile(tmp_path / "bot", *words)))
            with pytest.raises(Exception, match="did not listen within"):
                launcher.start(bot, OutputRing(), threading.Event())
        with pytest.raises(BlockingIOError):
            other.accept()


@pytest.mark.parametrize("kept", ["none", *LEVELS])
def test_the_socket_that_was_found_first_is_the_one_that_is_called(tmp_path: Path, kept: str) -> None:
    bot = make_hostile(tmp_path / "bot", "later", "swap", "/nowhere")
    with running(bot, level(kept), OutputRing()) as process:
        assert not isinstance(process, str)
        assert isinstance(process.address, UnixAddress)
        place = process.address.target.removeprefix("unix:")
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(place)
        while not process.address.path.is_symlink():
            assert not process.gone()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(place)
            assert client.recv(16) == b"here"


@pytest.mark.parametrize("kept", LEVELS)
def test_a_python_bot_has_the_kit_and_nothing_else_of_the_arena(tmp_path: Path, kept: str) -> None:
    look = (
        "import json, importlib, os, sys\n"
        "def there(name):\n"
        "    try:\n        importlib.import_module(name)\n"
        "    except ImportError:\n        return False\n"
        "    return True\n"
        "names = ['sdk', 'game', 'wire.v1.bot_pb2', 'wire.codec', 'store', 'cli', 'bots', 'fleet', 'settings']\n"
        "print(json.dumps([name for name in names if there('arena.' + name)]), flush=True)\n"
        "from arena.sdk import serve\n"
        "serve(lambda seen: None, name='looker')\n"
    )
    bot = make_bot(tmp_path / "bot", ["python", "main.py"])
    (bot / "main.py").write_text(look)
    ring = OutputRing()
    with running(bot, level(kept), ring) as process:
        assert heard(process, ring) == '["sdk", "game", "wire.v1.bot_pb2"]'


@pytest.mark.parametrize("program", [pytest.param("node", marks=needs("sandbox", "node")), "sh"])
@needs("sandbox")
def test_other_languages_find_their_programs(tmp_path: Path, program: str) -> None:
    commands = {
        "node": ["node", "-e", "require('net').createServer().listen(process.env.ARENA_BOT_ADDRESS.slice(5))"],
        "sh": ["sh", "-c", "exec perl -MIO::Socket::UNIX -e "
               "'IO::Socket::UNIX->new(Local => substr($ENV{ARENA_BOT_ADDRESS}, 5), Listen => 1); sleep 60'"],
    }  # fmt: skip
    with running(make_bot(tmp_path / "bot", commands[program]), "watchdog", OutputRing()) as process:
        assert not isinstance(process, str), process


@needs("sandbox")
def test_an_interpreter_below_tmp_is_not_hidden_by_the_bots_own_tmp(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        there = Path(folder) / "venv"
        there.parent.chmod(0o755)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", there], check=True)
        monkeypatch.setattr(sys, "prefix", str(there))
        monkeypatch.setattr(sys, "executable", str(there / "bin" / "python"))
        where = "import sys; sys.stdout.write(sys.prefix); sys.stdout.flush(); "
        bot = make_bot(Path(folder) / "bot", ["python", "-I", "-c", where + LISTEN + "import time; time.sleep(600)"])
        ring = OutputRing()
        with running(bot, "watchdog", ring) as process:
            assert heard(process, ring) == str(there)


@pytest.mark.parametrize("kept", LEVELS)
def test_a_build_runs_in_a_sandbox_and_may_write_to_its_folder_only(tmp_path: Path, kept: str) -> None:
    outside = tmp_path / "outside"
    build = ["sh", "-c", f"id -u > built; touch {outside}; cat /etc/shadow; touch /usr/new; exit 0"]
    bot = make_bot(tmp_path / "bot", ["sh", "-c", "cat built; touch built"], build=build)
    with Launcher(ProcessLimits(start_ms=5000), level(kept)) as launcher:
        prepared = launcher.prepare(open_folder(bot))
        assert int((prepared.folder / "built").read_text()) >= 65534
        assert (prepared.folder / "built").stat().st_uid == os.geteuid()
        assert not outside.exists()


@pytest.mark.parametrize("kept", LEVELS)
def test_a_build_that_fails_is_told_with_its_last_line(tmp_path: Path, kept: str) -> None:
    bot = make_bot(tmp_path / "bot", ["true"], build=["sh", "-c", "echo no compiler >&2; exit 3"])
    with (
        Launcher(ProcessLimits(), level(kept)) as launcher,
        pytest.raises(BuildError, match="the build exited with status 3: no compiler"),
    ):
        launcher.prepare(open_folder(bot))
