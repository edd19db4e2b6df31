"""The pages as a server: who is slow is ended, streams end with the server, and the command tells where it is."""

from __future__ import annotations

import select
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from arena.web import serving
from tests.end_to_end.arena import Arena
from tests.web.serving import served

REQUEST = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connect(address: str, buffer: int | None = None) -> socket.socket:
    """A connection to the server; with a `buffer`, the system takes hardly more than that of what nobody reads."""
    host, port = address.removeprefix("http://").split(":")
    connection = socket.socket()
    if buffer is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(30)
    connection.connect((host, int(port)))
    return connection


def is_ended(connection: socket.socket) -> bool:
    """Whether the server hangs up; waits until it does."""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "])
def test_who_never_finishes_asking_is_ended(made_up: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(serving, "HEAD_S", 0.2)
    with served(made_up) as address, connect(address) as connection:
        connection.sendall(sent)
        assert is_ended(connection)


def test_who_asks_again_and_again_is_answered_and_then_ended(made_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEAD_S", 1.0)
    with served(made_up) as address, connect(address) as connection:
        answers = connection.makefile("rb")
        for _ in range(3):
            connection.sendall(REQUEST)
            assert answers.readline().startswith(b"HTTP/1.1 404")
            length = 0
            while (line := answers.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            answers.read(length)
        connection.sendall(b"GET /")
        assert answers.read() == b""


def is_cut(connection: socket.socket) -> bool:
    """Whether the server hangs up on somebody who reads nothing; waits until it does, or for half a minute."""
    connection.setblocking(False)
    seen = select.poll()
    seen.register(connection, 0)  # which tells of errors alone
    for _ in range(600):
        if seen.poll(50):
            return True
        with suppress(OSError):
            connection.send(b"x")  # to which a connection that was given up answers with an error
    return False


@pytest.mark.parametrize(
    "last", [b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"]
)
def test_who_never_takes_the_answers_is_ended(made_up: Path, monkeypatch: pytest.MonkeyPatch, last: bytes) -> None:
    monkeypatch.setattr(serving, "TAKE_S", 0.2)
    monkeypatch.setattr(serving, "HEAD_S", 0.2)
    with served(made_up) as address, connect(address, buffer=2048) as connection:
        connection.sendall(REQUEST.replace(b"/nothing", b"/rules") * 400 + last)
        assert is_cut(connection)


def test_who_takes_answers_slowly_gets_all_of_them(made_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "TAKE_S", 20.0)
    request = REQUEST.replace(b"/nothing", b"/rules")
    with served(made_up) as address, connect(address, buffer=2048) as connection:
        connection.sendall(request * 399 + request.replace(b"Host", b"Connection: close\r\nHost"))
        answers = connection.makefile("rb").read()
    assert answers.count(b"HTTP/1.1 200 OK") == 400


@pytest.mark.slow
def test_the_command_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    process = Arena(tmp_path).start("serve", "--port", "0")
    assert process.stdout is not None
    line = process.stdout.readline()
    address = line.split()[4].rstrip("/")
    with connect(address) as connection:
        connection.sendall(REQUEST.replace(b"/nothing", b"/"))
        assert connection.recv(15) == b"HTTP/1.1 200 OK"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "told"),
    [(["--host", "203.0.113.7", "--port", "0"], "is no address of this machine"), (["--host", "nowhere.invalid"], "")],
)
def test_an_address_that_is_not_ours_is_told_in_one_line(tmp_path: Path, options: list[str], told: str) -> None:
    done = Arena(tmp_path).run("serve", *options)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and told in done.stderr and "--host" in done.stderr


@pytest.mark.slow
def test_a_port_that_is_taken_is_told_in_one_line_with_the_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done: subprocess.CompletedProcess[str] = Arena(tmp_path).run("serve", "--port", str(other.getsockname()[1]))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "is taken" in done.stderr and "--port 0" in done.stderr
