"""The languages of the pages: which one a reader gets, its words (gettext) and its way to write numbers and dates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from importlib import resources
from io import BytesIO

from babel import Locale
from babel.dates import format_date, format_datetime, format_timedelta
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from arena.rating.figures import DASH
from arena.rating.notes import Note

SOURCE = "en"
"""The language that the words in the program are in."""

CODES = (SOURCE, "el", "id")

OLD_CODES = {"in": "id"}
"""What some browsers still call a language."""

COOKIE = "language"


@dataclass(frozen=True)
class Language:
    """One language: `code` for HTML, `name` in its own words, `words` for gettext."""

    code: str
    name: str
    words: NullTranslations = field(repr=False)
    _locale: Locale = field(repr=False)
    _signs: Mapping[int, str] = field(repr=False)

    @classmethod
    def load(cls, code: str) -> Language:
        """Read the words of a language from `locale/`; those of the program itself need no file."""
        locale = Locale.parse(code)
        signs = locale.number_symbols["latn"]
        changed = str.maketrans({",": signs["group"], ".": signs["decimal"], "-": "−"})
        name = locale.get_language_name(code) or code
        return cls(code, name[:1].upper() + name[1:], _words(code), locale, changed)

    def gettext(self, message: str) -> str:
        """The message in this language."""
        return self.words.gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The message for so many things."""
        return self.words.ngettext(one, many, number)

    def told(self, note: Note) -> tuple[str, str]:
        """A note: what it is about, and its text in this language."""
        return note.about, note.told(self.gettext, self.number)

    def number(self, value: float | None, digits: int = 0) -> str:
        """A number as it is written here, a dash for none; Babel's own way would take as long as the whole page."""
        return DASH if value is None else f"{value:,.{digits}f}".translate(self._signs)

    def elo(self, value: float | None, digits: int = 0) -> str:
        """A rating: a number of four digits that nobody groups."""
        return DASH if value is None else f"{value:.{digits}f}".translate(self._signs)

    def signed(self, value: float | None, digits: int = 2) -> str:
        """A number with its sign, and none for what is nothing when rounded."""
        if value is None:
            return DASH
        text = f"{value:+,.{digits}f}"
        return (text if float(text.replace(",", "")) else text[1:]).translate(self._signs)

    def percent(self, share: float | None, digits: int = 0) -> str:
        """A share of one in per cent."""
        if share is None:
            return DASH
        return f"{self.number(100 * share, digits)}\N{NO-BREAK SPACE}%"

    def date(self, value: date) -> str:
        """A day, such as 30 Nov 2026."""
        return format_date(value, "medium", self._locale)

    def moment(self, value: datetime) -> str:
        """A day and time in UTC, which is what the arena's machines agree about."""
        return f"{format_datetime(value.astimezone(UTC), 'medium', locale=self._locale)} UTC"

    def duration(self, seconds: float) -> str:
        """About how long, in the largest fitting unit."""
        return str(format_timedelta(timedelta(seconds=seconds), locale=self._locale, threshold=1.5))


def _words(code: str) -> NullTranslations:
    if code == SOURCE:
        return NullTranslations()
    source = resources.files("arena.web") / "locale" / f"{code}.po"
    with source.open("rb") as file:
        catalog = read_po(file, locale=code)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Translations(compiled)


def languages() -> dict[str, Language]:
    """All languages by code, that of the program first."""
    return {code: Language.load(code) for code in CODES}


def choose(cookie: str | None, accepted: str) -> str:
    """The code of a reader's language: chosen by hand (the cookie), else the first known one the browser asks for."""
    if cookie in CODES:
        return cookie
    wishes = sorted(map(_wish, accepted[:1000].split(",")), key=lambda wish: -wish[1])
    return next((code for code, weight in wishes if code in CODES and weight > 0), SOURCE)


def _wish(text: str) -> tuple[str, float]:
    """`el-GR;q=0.8` as a language and how much it is wanted; nonsense is not wanted at all."""
    tag, _, weight = text.partition(";")
    code = tag.strip().split("-")[0].lower()
    _, _, value = weight.strip().partition("q=")
    try:
        wanted = float(value) if value else 1.0
    except ValueError:
        wanted = 0.0
    return OLD_CODES.get(code, code), wanted
