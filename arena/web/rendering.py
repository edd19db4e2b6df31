"""Jinja as the pages use it: an environment for each language, with its words and its numbers; whatever a template is
given is escaped, and a name that it does not know is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import i18n

from arena.rating.figures import DASH, digits
from arena.tournament.labels import SHORT, harmless
from arena.web.i18n import Language
from arena.web.suits import face


def environment(language: Language, shared: Mapping[str, object]) -> Environment:
    """The templates in a language; `shared` is what every template has besides."""
    made = Environment(
        loader=PackageLoader("arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=[i18n],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    words: Any = made  # the extension adds this method
    words.install_gettext_callables(language.gettext, language.ngettext, newstyle=True)
    made.globals |= {**shared, "language": language, "face": face, "DASH": DASH, "SHORT": SHORT}
    made.filters |= {
        "number": language.number,
        "elo": language.elo,
        "signed": language.signed,
        "percent": language.percent,
        "date": language.date,
        "moment": language.moment,
        "duration": language.duration,
        "harmless": harmless,
        "digits": digits,
        "fixed": fixed,
    }
    return made


def fixed(value: float) -> str:
    """A coordinate of a drawing, as short as it may be."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
