"""Pages that depend on nothing but the database, the address and the language: made once a change, and not even sent
to whoever has them already."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from secrets import token_hex
from threading import Lock

from fastapi import Request
from fastapi.responses import Response

MOST_BYTES = 32 * 2**20
"""So much of what was made is kept."""


class Kept:
    """The latest answers by entity tag, within a bound; safe for threads."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._bodies: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()
        self._process = token_hex(8)

    def tag(self, *depends_on: str) -> str:
        """The entity tag of an answer that depends on these; another process has other tags."""
        parts = "\0".join((self._process, *depends_on))
        return f'W/"{blake2b(parts.encode(errors="surrogatepass"), digest_size=15).hexdigest()}"'

    def get(self, tag: str) -> bytes | None:
        """What was made under this tag, if it is still here."""
        with self._lock:
            body = self._bodies.get(tag)
            if body is not None:
                self._bodies.move_to_end(tag)
            return body

    def put(self, tag: str, body: bytes) -> None:
        """Keep an answer, and drop those that were not asked for longest."""
        with self._lock:
            if tag not in self._bodies:
                self._bodies[tag] = body
                self._bytes += len(body)
            while self._bytes > self._most_bytes:
                _, dropped = self._bodies.popitem(last=False)
                self._bytes -= len(dropped)


def conditional(
    kept: Kept,
    request: Request,
    depends_on: Sequence[str],
    make: Callable[[], bytes],
    headers: Mapping[str, str],
    media_type: str,
) -> Response:
    """Answer with what depends on these and the address alone, or with 304 to whoever has it already."""
    tag = kept.tag(*depends_on, f"{request.url.path}?{request.url.query}")
    headers = {**headers, "etag": tag}
    if matches(tag, request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=headers)
    body = kept.get(tag)
    if body is None:
        body = make()
        kept.put(tag, body)
    return Response(body, headers=headers, media_type=media_type)


def matches(tag: str, if_none_match: str) -> bool:
    """Whether a reader's If-None-Match names this tag (weak comparison, RFC 9110 section 13.1.2)."""
    given = {one.strip().removeprefix("W/") for one in if_none_match.split(",")}
    return "*" in given or tag.removeprefix("W/") in given
