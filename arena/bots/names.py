"""What bots and owners may be called, and which names a reader would take for one another.

A name is shown in tables, pages and logs and decides who is meant, but it is never used as a path.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from arena.bots.errors import ManifestError

MAX_NAME = 40
MAX_VERSION = 32
MAX_OWNER = 40

EVERY = "all"
"""What commands take for every bot, so that none may be called so."""

MOST_MARKS = 3
"""So many marks in a row are above and below one letter in the scripts that need them; more only cover other lines."""

BLANK = frozenset(
    "\N{COMBINING GRAPHEME JOINER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{HANGUL FILLER}"
    "\N{HALFWIDTH HANGUL FILLER}\N{BRAILLE PATTERN BLANK}\N{KHMER VOWEL INHERENT AQ}\N{KHMER VOWEL INHERENT AA}"
).union(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Signs that Unicode counts among the printable ones though nothing of them is seen."""


def _glyphs(signs: str, like: str) -> dict[str, str]:
    return dict(zip(signs, like, strict=True))


LOOK_ALIKES: Mapping[int, str] = str.maketrans(
    _glyphs("АВЕЅІЈКМНОРСТУХԌԚԜѴЗӀ", "ABESIJKMHOPCTYXGQWV3l")
    | _glyphs("асԁеһіјӏкпоргѕухԛԝѵьб", "acdehijlknoprsyxqwvb6")
    | _glyphs("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ")
    | _glyphs("αβγηικνορστυχωϲϳ", "abynikvopotuxwcj")
    | _glyphs("օսհոցզɑɡıǀ", "ouhnggagil")
)
"""Letters of Cyrillic, Greek, Armenian and others that most typefaces draw like a Latin letter or a digit."""

ONE_SHAPE: Mapping[int, str] = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "!": "l", "5": "s"})
"""What is mixed up within one script, after small letters were made of capitals."""

GAPS = frozenset({"Zs", "Pd", "Pc"})
ACCENTED = ("LATIN ", "GREEK ", "CYRILLIC ")
"""Unicode's names of letters that begin so are of scripts in which marks are accents, which are easily overlooked."""


def check_label(key: str, text: str, longest: int) -> str:
    """A name, version or owner (`key` tells which) in normal form; raises `ManifestError`.

    It stands in tables, pages, file names and digests, so it is kept to one printable line.
    """
    text = unicodedata.normalize("NFC", text)
    if not text.strip():
        raise ManifestError(f"'{key}' is empty")
    if len(text) > longest:
        raise ManifestError(f"'{key}' has {len(text)} characters; at most {longest} are allowed")
    if not text.isprintable() or not BLANK.isdisjoint(text):
        raise ManifestError(f"'{key}' holds a control, direction or other invisible character: {text!a}")
    if text != text.strip():
        raise ManifestError(f"'{key}' begins or ends with a space: {text!r}")
    if any(sign in text for sign in "/\\") or text[0] in ".-":
        raise ManifestError(f"'{key}' looks like a path or an option: {text!r}; no slashes, no leading '.' or '-'")
    if key != "owner" and "@" in text:
        raise ManifestError(f"'{key}' holds '@', which stands between name and version in commands: {text!r}")
    if key == "name" and text == EVERY:
        raise ManifestError(f"'name' is {EVERY!r}, which stands for every bot in commands")
    if _marks(text[0]) or any(marks and len(list(run)) > MOST_MARKS for marks, run in itertools.groupby(text, _marks)):
        raise ManifestError(f"'{key}' heaps up marks without letters below them: {text!a}")
    return text


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of the `others` that a reader would take for `name`, though it is another; None when there is none.

    Two names look alike when they are the same in capitals or small letters, in any width or style of letters, with
    other gaps, with or without accents and other marks (which are easily overlooked), or with letters of another script
    or digits of the same shape. This takes the idea, but not the tables, of the skeletons of Unicode Technical Standard
    39, https://www.unicode.org/reports/tr39/#Confusable_Detection.
    """
    shapes = _shapes(name)
    return next((other for other in others if other != name and not shapes.isdisjoint(_shapes(other))), None)


def _shapes(name: str) -> frozenset[str]:
    """What a name looks like as it was typed, and in small letters: two, since a capital may look like another letter
    than its small form does."""
    plain = "".join("-" if unicodedata.category(sign) in GAPS else sign for sign in _without_accents(name))
    seen = (plain.translate(LOOK_ALIKES).casefold(), plain.casefold().translate(LOOK_ALIKES))
    return frozenset(_one_shape(shape) for shape in seen)


def _one_shape(text: str) -> str:
    text = text.translate(ONE_SHAPE).replace("rn", "m").replace("vv", "w")
    return "-".join(filter(None, text.split("-")))


def _marks(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Me")


def _without_accents(name: str) -> Iterator[str]:
    """The signs of a name without the marks on letters that are told apart without them; in other scripts, such as
    Devanagari, marks are vowels."""
    is_accented = True
    for sign in unicodedata.normalize("NFKD", name):
        if not _marks(sign):
            is_accented = not sign.isalpha() or unicodedata.name(sign, "").startswith(ACCENTED)
            yield sign
        elif not is_accented:
            yield sign
