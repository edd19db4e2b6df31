"""Sentences that are told in more than one language: a template that is translated, and its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Self

from arena.rating.figures import Number, plain_number, signed


class Figure(NamedTuple):
    """A number inside a note, with the digits after the point that it deserves, and with a sign where it is a lead."""

    value: float
    digits: int = 0
    is_signed: bool = False


class Note(NamedTuple):
    """Something to know: what it is about, in a word or a sign, and a text with its values (`%(name)s` each).

    A value may be a note itself, or several in a tuple, which are set apart by commas.
    """

    about: str
    text: str
    values: Mapping[str, object] = {}

    def told(self, translated: Callable[[str], str] = str, number: Number = plain_number) -> str:
        """The whole text, in the language and with the numbers of whoever reads it."""
        return translated(self.text) % {name: _told(value, translated, number) for name, value in self.values.items()}


class WordedError(Exception):
    """An error whose message can be told in another language, too, where it has a `note`."""

    note: Note | None = None

    @classmethod
    def worded(cls, text: str, **values: object) -> Self:
        """The error with a sentence that is translated, a template with its values."""
        note = Note("", text, values)
        error = cls(note.told())
        error.note = note
        return error


def _told(value: object, translated: Callable[[str], str], number: Number) -> str:
    if isinstance(value, Note):
        return value.told(translated, number)
    if isinstance(value, Figure):
        if value.is_signed:
            return signed(value.value, value.digits, number)
        return number(value.value, value.digits)
    if isinstance(value, tuple):
        return ", ".join(_told(one, translated, number) for one in value)
    return str(value)
