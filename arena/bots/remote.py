"""Bots at an address, `grpc://host:port` or `grpcs://host:port` with TLS: how an address is written, what identifies
such a bot, and what it says of itself when it enters. The arena connects to what was named, and to nothing else.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import grpc

from arena.bots.calling import check_protocol
from arena.bots.credentials import NO_CREDENTIALS, Credentials, read_credentials, read_table, system_authorities
from arena.bots.errors import ManifestError, RemoteError, StartError
from arena.bots.names import MAX_NAME, MAX_VERSION, check_label
from arena.bots.ring import printable
from arena.wire.client import BotClient, CallError, CallErrorKind, Description

VERSION = "remote"
"""Stands for the version of a remote bot that gives none."""

MEETING_S = 3.0
"""How long an answer is waited for when a bot enters; one that comes later still plays, under its address."""

AGAIN_S = 0.1
"""Between two attempts to reach a bot that is not there."""

SHOWN = 80
"""Characters of a wrong address that an error shows."""

SIGNS = {
    "Connection refused": "nobody listens there",
    "errors resolving": "its host is not known",
    "CERTIFICATE_VERIFY_FAILED": "its certificate is not one that we trust",
    "Hostname Verification": "its certificate is for another host",
    "handshake failed": "TLS failed",
    "Connection timed out": "its host does not answer",
    "No route to host": "there is no way to its host",
    "Network is unreachable": "there is no way to its host",
}
"""What gRPC says of a connection that cannot be made, and what we say."""

LIKE_AN_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://|grpcs?:", re.IGNORECASE)
PARTS = re.compile(r"grpc(s?)://(\[[^\[\]]*\]|[^\[\]:]*)(?::([0-9]{0,9}))?", re.IGNORECASE)
HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*")


class RemoteAddress(NamedTuple):
    """Where a remote bot listens. `host` is a name, an IPv4 address, or an IPv6 address in brackets."""

    tls: bool
    host: str
    port: int

    def __str__(self) -> str:
        """The one way in which this address is written."""
        return f"grpc{'s' if self.tls else ''}://{self.host}:{self.port}"

    @property
    def target(self) -> str:
        """The address as gRPC takes it; with the scheme, or a host named `unix` would be a path."""
        return f"dns:///{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Access:
    """How a remote bot is reached; RemoteError when credentials would go over a connection that anybody can read."""

    address: RemoteAddress
    credentials: Credentials = NO_CREDENTIALS

    def __post_init__(self) -> None:
        if self.credentials and not self.address.tls:
            raise RemoteError(
                f"{self.address}: certificates and tokens need TLS; name the bot as grpcs://, or give it none"
            )

    @property
    def digest(self) -> bytes:
        """What identifies the bot, in place of a digest of files: 32 bytes."""
        return sha256(f"remote\t{self.address}".encode()).digest()

    def connect(self) -> BotClient:
        """A new connection, which no other shares; nothing is sent yet."""
        if not self.address.tls:
            return BotClient(self.address.target)
        own = self.credentials
        tls = grpc.ssl_channel_credentials(
            own.authorities.encode() or system_authorities(), own.key.encode() or None, own.certificate.encode() or None
        )
        return BotClient(self.address.target, tls, own.token)


class Keyring:
    """The credentials for addresses, as the file at `path` names them (None: for no address); RemoteError when it is
    wrong. Only those of bots that take part are read."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._tables = {}
        try:
            for text, table in (read_table(path) if path is not None else {}).items():
                self._tables[parse_address(text)] = table
        except RemoteError as error:
            raise RemoteError(f"--remotes {path}: {error}") from None

    def access(self, address: RemoteAddress) -> Access:
        """How the bot at this address is reached."""
        if self._path is None or address not in self._tables:
            return Access(address)
        return Access(address, read_credentials(self._path, self._tables[address]))


@dataclass(frozen=True, slots=True)
class RemoteBot:
    """A bot at an address under the name that it enters with; `note` says why that is not its own, if so.

    `owner` is who submitted it, "" for nobody.
    """

    access: Access
    name: str
    version: str
    note: str = ""
    owner: str = ""

    @property
    def digest(self) -> bytes:
        """What identifies it."""
        return self.access.digest

    @property
    def place(self) -> str:
        """Where it is."""
        return str(self.access.address)

    @property
    def label(self) -> str:
        """Name and version, as people call the bot."""
        return f"{self.name} {self.version}"


def resolved(address: RemoteAddress) -> frozenset[tuple[str, int]]:
    """The IP addresses and the port that connections to it may have; none when its host is not known."""
    try:
        found = socket.getaddrinfo(address.host.strip("[]"), address.port, type=socket.SOCK_STREAM)
    except OSError:
        return frozenset()
    return frozenset((str(place[0]), address.port) for *_, place in found)


def is_address(word: str) -> bool:
    """Whether a word that stands for a bot is meant as an address, be it right or wrong."""
    return LIKE_AN_ADDRESS.match(word) is not None


def parse_address(text: str) -> RemoteAddress:
    """Read an address; raises RemoteError that says what is wrong with it."""
    if "@" in text:  # not shown: what stands before the sign may be a password
        raise RemoteError(
            "an address holds a user or password before '@': write grpcs://host:port, and name the file of the token "
            "with --remotes"
        )
    shown = text if len(text) <= SHOWN else text[:SHOWN] + "…"
    parts = PARTS.fullmatch(text)
    if parts is None:
        raise RemoteError(f"{shown} is no address of a bot: {_what_is_wrong(text)}")
    tls, host, port = parts.groups()
    if port is None or not 1 <= int(port or 0) <= 65535:
        raise RemoteError(f"{shown} is no address of a bot: it must end with a port from 1 to 65535, as in :5000")
    return RemoteAddress(tls != "", _host(host.lower(), shown), int(port))


def by_address(access: Access, note: str = "") -> RemoteBot:
    """The bot under its address."""
    return RemoteBot(access, str(access.address), VERSION, note)


def meet(accesses: Iterable[Access], limit_s: float = MEETING_S) -> list[RemoteBot]:
    """Ask remote bots, side by side, who they are; one that does not answer, or not sensibly, goes by its address."""
    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(lambda access: _meet(access, limit_s), accesses))


def greet(client: BotClient, limit_s: float, cancelled: threading.Event) -> Description:
    """Ask a remote bot for its description, again and again while nobody is there, for at most `limit_s`.

    Raises `StartError`; soon, when `cancelled` is set and the client closed.
    """
    until = monotonic() + limit_s
    while True:
        try:
            description = client.describe(max(0.001, until - monotonic()), wait_for_ready=False)
            break
        except CallError as error:
            if cancelled.is_set():
                raise StartError("was left while it was asked for its description") from None
            if error.kind is not CallErrorKind.UNAVAILABLE:
                raise StartError(f"did not answer Describe: {error.kind.value}", f" {error.detail}") from None
            if monotonic() + AGAIN_S > until:
                raise StartError(f"cannot be reached: {why_unavailable(error)}", f" ({error.detail})") from None
        cancelled.wait(AGAIN_S)
    check_protocol(description)
    return description


def why_unavailable(error: CallError) -> str:
    """Why a connection is not there, in our words: those of the error may be the bot's."""
    return next((why for sign, why in SIGNS.items() if sign in error.detail), "the connection broke")


def introduce(access: Access, limit_s: float = MEETING_S) -> RemoteBot:
    """Ask a remote bot who it is; one that gives no name goes by its address.

    Raises `StartError` when it does not answer, and `ManifestError` when it may not be called what it says.
    """
    client = access.connect()
    try:
        description = greet(client, limit_s, threading.Event())
    finally:
        client.close()
    name = check_label("name", description.name, MAX_NAME) if description.name else str(access.address)
    version = check_label("version", description.version, MAX_VERSION) if description.version else VERSION
    return RemoteBot(access, name, version)


def _meet(access: Access, limit_s: float) -> RemoteBot:
    try:
        return introduce(access, limit_s)
    except (StartError, ManifestError) as error:
        return by_address(access, f"{access.address} enters under its address: {printable(str(error))}")


def _host(host: str, shown: str) -> str:
    """The host in its one spelling."""
    if "%" in host:
        raise RemoteError(f"{shown} is no address of a bot: an IPv6 address is written without a zone")
    try:
        if host.startswith("["):
            return f"[{ipaddress.IPv6Address(host[1:-1])}]"
        if re.fullmatch(r"[0-9.]+", host):
            return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise RemoteError(f"{shown} is no address of a bot: {host[:SHOWN]} is no IP address") from None
    if not HOST.fullmatch(host):
        raise RemoteError(
            f"{shown} is no address of a bot: a host is a name of ASCII letters, digits, '-' and '.', an IPv4 address, "
            "or an IPv6 address in brackets"
        )
    return host


def _what_is_wrong(text: str) -> str:
    scheme, _, rest = text.partition("://")
    if scheme.lower() not in ("grpc", "grpcs"):
        return "it begins with grpc:// or, with TLS, with grpcs://"
    if any(sign in rest for sign in "/?#\\"):
        return "nothing follows the port"
    if rest.count(":") > 1 and "[" not in rest:
        return "an IPv6 address stands in brackets, as in grpc://[::1]:5000"
    return "it is written grpc://host:port"
