"""Bots at an address: how it is written, what opens the door to them, and under which name they enter."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme

from arena.bots.credentials import Credentials
from arena.bots.errors import RemoteError
from arena.bots.remote import Access, Keyring, is_address, meet, parse_address
from arena.wire.v1 import bot_pb2 as pb
from tests.bots.serving import ServedBot, free_port

Serve = Callable[..., ServedBot]
TLS = "grpcs://bots.example.org:5000"


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve bots that stop after the test."""
    served: list[ServedBot] = []

    def make(description: pb.DescribeResponse) -> ServedBot:
        served.append(ServedBot(description=description))
        return served[-1]

    yield make
    for bot in served:
        bot.stop()


@pytest.mark.parametrize(
    ("text", "canonical", "target"),
    [
        ("grpc://127.0.0.1:5000", "grpc://127.0.0.1:5000", "dns:///127.0.0.1:5000"),
        ("GRPCS://Bots.Example.ORG:05000", TLS, "dns:///bots.example.org:5000"),
        ("grpc://[0:0::0:1]:1", "grpc://[::1]:1", "dns:///[::1]:1"),
        ("grpc://unix:65535", "grpc://unix:65535", "dns:///unix:65535"),
    ],
)
def test_an_address_has_one_spelling(text: str, canonical: str, target: str) -> None:
    address = parse_address(text)
    assert (str(address), address.target) == (canonical, target)
    assert parse_address(canonical) == address


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("grpc://", "port from 1 to 65535"),
        ("grpc://localhost", "port from 1 to 65535"),
        ("grpc://localhost:", "port from 1 to 65535"),
        ("grpc://localhost:0", "port from 1 to 65535"),
        ("grpc://localhost:65536", "port from 1 to 65535"),
        ("grpc://localhost:" + "9" * 9999, "it is written grpc://host:port"),
        ("grpc://localhost:five", "it is written grpc://host:port"),
        ("grpc:localhost:5000", "it begins with grpc://"),
        ("http://localhost:5000", "it begins with grpc://"),
        ("grpc://:5000", "a host is a name"),
        ("grpc://1.2.3:5000", "1.2.3 is no IP address"),
        ("grpc://[::g]:5000", "is no IP address"),
        ("grpc://[fe80::1%eth0]:5000", "without a zone"),
        ("grpc://::1:5000", "stands in brackets"),
        ("grpc://localhost:5000/path", "nothing follows the port"),
        ("grpc://local host:5000", "a host is a name"),
        ("grpc://löcal:5000", "a host is a name"),
        ("grpc://a..b:5000", "a host is a name"),
        ("grpc://" + "a" * 64 + ":5000", "a host is a name"),
        ("grpc://localhost:5000\n", "it is written grpc://host:port"),
    ],
)
def test_what_is_no_address_is_refused_with_the_reason(text: str, why: str) -> None:
    assert is_address(text)
    with pytest.raises(RemoteError, match="is no address of a bot: ") as caught:
        parse_address(text)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(RemoteError, match="--remotes") as caught:
        parse_address("grpcs://me:secret@localhost:5000")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("word", ["greedy", "my_bots/fox", "/bots/fox", "~/fox", "./grpc", "grpc", "C:fox"])
def test_names_and_folders_are_no_addresses(word: str) -> None:
    assert not is_address(word)


def test_the_digest_of_a_remote_bot_is_that_of_its_address() -> None:
    access = Access(parse_address("GRPC://LocalHost:5000"))
    assert access.digest == hashlib.sha256(b"remote\tgrpc://localhost:5000").digest()


@pytest.fixture
def keyring(tmp_path: Path) -> Callable[[str], Keyring]:
    """Write a file of remotes, beside certificates and a token."""
    authority = trustme.CA()
    mine = authority.issue_cert("arena.example.org")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    mine.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    mine.private_key_pem.write_to_path(tmp_path / "key.pem")
    trustme.CA().private_key_pem.write_to_path(tmp_path / "other.pem")
    (tmp_path / "token").write_text("abc.DEF-123\n")
    (tmp_path / "words").write_text("two words")
    (tmp_path / "binary").write_bytes(b"\xff")

    def write(text: str) -> Keyring:
        (tmp_path / "remotes.toml").write_text(text)
        return Keyring(tmp_path / "remotes.toml")

    return write


def test_credentials_are_found_by_address_however_it_is_written(
    keyring: Callable[[str], Keyring], tmp_path: Path
) -> None:
    keys = keyring(
        f'["grpcs://BOTS.example.org:5000"]\nca = "ca.pem"\ncert = "cert.pem"\nkey = "{tmp_path}/key.pem"\n'
        'token = "token"\n["grpc://localhost:1"]\n'
    )
    found = keys.access(parse_address(TLS)).credentials
    assert found.authorities == (tmp_path / "ca.pem").read_text()
    assert found.certificate == (tmp_path / "cert.pem").read_text()
    assert found.token == "abc.DEF-123"
    assert "abc" not in repr(found)
    assert "PRIVATE" not in repr(found)
    assert not keys.access(parse_address("grpc://localhost:1")).credentials
    assert not keys.access(parse_address("grpcs://elsewhere:5000")).credentials


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nonsense", "not valid TOML"),
        ("[a]", "is no address of a bot"),
        ('"grpcs://a:1" = 1', "write a table for each address"),
        (f'["{TLS}"]\npassword = "x"', "unknown key 'password'; known are ca, cert, key, token"),
        (f'["{TLS}"]\ntoken = 7', "'token' of grpcs://bots.example.org:5000 must be the name of a file"),
        (f'["{TLS}"]\ncert = "cert.pem"', "needs both 'cert' and 'key'"),
        (f'["{TLS}"]\ntoken = "nowhere"', "nowhere does not exist"),
        (f'["{TLS}"]\ntoken = "."', "is not an ordinary file"),
        (f'["{TLS}"]\ntoken = "binary"', "is not UTF-8"),
        (f'["{TLS}"]\ntoken = "words"', "holds no token"),
        (f'["{TLS}"]\nca = "token"', "holds no certificate in PEM"),
        (f'["{TLS}"]\ncert = "cert.pem"\nkey = "other.pem"', "no certificate and its key"),
    ],
)
def test_a_wrong_file_of_remotes_is_refused_with_the_reason(
    keyring: Callable[[str], Keyring], text: str, why: str
) -> None:
    with pytest.raises(RemoteError) as caught:
        keyring(text).access(parse_address(TLS))
    assert why in str(caught.value)


def test_no_credentials_go_over_a_connection_that_anybody_can_read(keyring: Callable[[str], Keyring]) -> None:
    keys = keyring('["grpc://localhost:5000"]\ntoken = "token"\n')
    with pytest.raises(RemoteError, match="need TLS"):
        keys.access(parse_address("grpc://localhost:5000"))
    with pytest.raises(RemoteError, match="need TLS"):
        Access(parse_address("grpc://localhost:5000"), Credentials(authorities="PEM"))


def test_a_remote_bot_enters_under_the_name_that_it_gives(serve: Serve) -> None:
    bot = serve(pb.DescribeResponse(name="Füchs", version="1.2"))
    (met,) = meet([Access(parse_address(bot.address))])
    assert (met.name, met.version, met.note) == ("Füchs", "1.2", "")
    assert met.label == "Füchs 1.2"


def test_a_remote_bot_without_a_name_goes_by_its_address(serve: Serve) -> None:
    bot = serve(pb.DescribeResponse())
    (met,) = meet([Access(parse_address(bot.address))])
    assert (met.name, met.version, met.note) == (bot.address, "remote", "")


@pytest.mark.parametrize(
    ("description", "why"),
    [
        (pb.DescribeResponse(name="a\nb"), "control, direction"),
        (pb.DescribeResponse(name="x" * 41), "41 characters"),
        (pb.DescribeResponse(name="../fox"), "looks like a path"),
        (pb.DescribeResponse(name="fox", version="\u202e1"), "control, direction"),
        (pb.DescribeResponse(name="fox", protocol_versions=[7]), "speaks protocol 7"),
        (pb.DescribeResponse(name="x" * 2_000_000), "did not answer Describe: UNREADABLE"),
    ],
)
def test_a_remote_bot_that_makes_no_sense_goes_by_its_address(
    serve: Serve, description: pb.DescribeResponse, why: str
) -> None:
    bot = serve(description)
    (met,) = meet([Access(parse_address(bot.address))])
    assert (met.name, met.version) == (bot.address, "remote")
    assert why in met.note
    assert met.note.isprintable()
    assert len(met.note) < 300


def test_remote_bots_that_are_not_there_go_by_their_addresses() -> None:
    accesses = [Access(parse_address(f"grpc://127.0.0.1:{free_port()}")) for _ in range(2)]
    for access, met in zip(accesses, meet(accesses, 0.2), strict=True):
        assert met.name == str(access.address)
        assert "cannot be reached: nobody listens there" in met.note
