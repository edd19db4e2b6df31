"""Where the next page of a listing begins: a key that means nothing to anybody else, and fits this listing alone."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from typing import TypeAlias

from arena.store.known import Identity
from arena.tournament.entries import Entry
from arena.web.queries import wrong

Key: TypeAlias = tuple[int | str, ...]
"""What a listing is sorted by; of the same types all through a listing."""

LARGEST = 2**63 - 1
"""No key in a database is larger."""

LONGEST = 1000
"""No cursor is longer: names are bounded."""

MARK_BYTES = 6

WRONG = "no part of this listing begins there; take `next` as it came with the part before, at the same address"


def write_cursor(key: Key, listing: str) -> str:
    """The cursor behind `key` in a listing; `listing` is all that tells it from others: its address and filters."""
    text = json.dumps(key, separators=(",", ":")).encode()
    return urlsafe_b64encode(_mark(text, listing) + text).decode().rstrip("=")


def read_cursor(text: str, like: Key, listing: str) -> Key:
    """The key in a cursor, which has the types of `like`. Raises RequestValidationError for any other text."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        mark, inner = raw[:MARK_BYTES], raw[MARK_BYTES:]
        key = tuple(json.loads(inner)) if mark == _mark(inner, listing) else ()
    except (ValueError, TypeError, RecursionError):
        key = ()
    if [type(one) for one in key] != [type(one) for one in like] or any(_is_beyond(one) for one in key):
        raise wrong("cursor", WRONG)
    return key


def identity_key(bot: Entry) -> Key:
    """What listings of bots are sorted by."""
    return bot.name, bot.version, bot.digest.hex()


def read_identity(text: str, listing: str) -> Identity:
    """The bot in the cursor of a listing of bots; raises as `read_cursor` does."""
    name, version, digest = map(str, read_cursor(text, ("", "", ""), listing))
    try:
        return Identity(name, version, bytes.fromhex(digest))
    except ValueError:
        raise wrong("cursor", WRONG) from None


def _is_beyond(one: int | str) -> bool:
    return isinstance(one, int) and not 0 <= one <= LARGEST


def _mark(text: bytes, listing: str) -> bytes:
    """It keeps slips away, not forgers: whoever makes up a key gets the rows behind it, which are everybody's."""
    return blake2b(listing.encode(errors="surrogatepass") + b"\0" + text, digest_size=MARK_BYTES).digest()
