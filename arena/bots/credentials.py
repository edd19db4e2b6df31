"""What the arena and a remote bot know each other by: certificates and tokens.

They lie in files, and one more file says which file belongs to which address, so that none of them stands in an
argument, in the database or in an export.
"""

from __future__ import annotations

import re
import ssl
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.errors import RemoteError

MOST_BYTES = 1 << 22
"""No file of certificates is longer."""

MOST_TOKEN = 8000
"""Characters of a token; with it the headers of a call stay within what servers take."""

KEYS = ("ca", "cert", "key", "token")

BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Where systems keep the certificates of the authorities that they trust."""

Table = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Credentials:
    """For one address: PEM texts of the authorities that may vouch for the bot ("": those that the system trusts), of
    the arena's own certificate and key ("": none), and a bearer token ("": none). False when all are empty."""

    authorities: str = ""
    certificate: str = ""
    key: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return self != NO_CREDENTIALS


NO_CREDENTIALS = Credentials()


def system_authorities() -> bytes | None:
    """PEM of the authorities that this system trusts; None where it has no such file, and gRPC's own list counts."""
    for place in (ssl.get_default_verify_paths().cafile, *BUNDLES):
        if place is not None and Path(place).is_file():
            return Path(place).read_bytes()
    return None


def read_table(path: Path) -> dict[str, Table]:
    """The tables of a TOML file, one an address, each naming files: `ca`, `cert` with `key`, `token`.

    Nothing but the names is read. Raises RemoteError.
    """
    try:
        tables = tomllib.loads(_text(path, MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise RemoteError(f"it is not valid TOML: {error}") from None
    for address, table in tables.items():
        if not isinstance(table, dict):
            raise RemoteError('write a table for each address, as in ["grpcs://host:port"]')
        for key, value in table.items():
            if key not in KEYS:
                raise RemoteError(f"{address} has an unknown key '{key[:40]}'; known are {', '.join(KEYS)}")
            if not isinstance(value, str) or not value or "\0" in value:
                raise RemoteError(f"'{key}' of {address} must be the name of a file, in quotes")
        if ("cert" in table) != ("key" in table):
            raise RemoteError(f"{address} needs both 'cert' and 'key', or neither")
    return tables


def read_credentials(path: Path, table: Table) -> Credentials:
    """What a table of the file at `path` names; other files are found from there. Raises RemoteError."""
    files = {key: path.parent / Path(str(value)).expanduser() for key, value in table.items()}
    texts = {key: _text(file, MOST_BYTES) for key, file in files.items()}
    token = texts.get("token", "").strip()
    if "token" in files and not re.fullmatch(rf"[!-~]{{1,{MOST_TOKEN}}}", token):
        raise RemoteError(f"{files['token']} holds no token: one line of ASCII without spaces was expected")
    _check_certificates(files, texts)
    return Credentials(texts.get("ca", ""), texts.get("cert", ""), texts.get("key", ""), token)


def _check_certificates(files: Mapping[str, Path], texts: Mapping[str, str]) -> None:
    """Refuse what TLS would refuse later, without saying why."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if "ca" in files:
        try:
            context.load_verify_locations(cadata=texts["ca"])
        except (ssl.SSLError, ValueError):
            raise RemoteError(f"{files['ca']} holds no certificate in PEM") from None
    if "cert" in files:
        try:
            context.load_cert_chain(files["cert"], files["key"], password=lambda: "")
        except (ssl.SSLError, ValueError):
            pair = f"{files['cert']} and {files['key']}"
            raise RemoteError(f"{pair} are no certificate and its key, both in PEM and without a password") from None


def _text(path: Path, most: int) -> str:
    try:
        if not path.is_file():
            raise RemoteError(f"{path} {'is not an ordinary file' if path.exists() else 'does not exist'}")
        with path.open("rb") as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise RemoteError(f"{path} is longer than {most} bytes")
        return content.decode()
    except OSError as error:
        raise RemoteError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RemoteError(f"{path} is not UTF-8") from None
