"""The translations: they say all that the program says, nothing that it says no more, and the same of it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po

from arena.web.i18n import CODES, SOURCE

ROOT = Path(__file__).parents[2]
PLACE = re.compile(r"%\(\w+\)s|%%")
NUMBER = "%(num)s"

translated = pytest.mark.parametrize("code", [code for code in CODES if code != SOURCE])


def translation(code: str) -> Catalog:
    with (ROOT / f"arena/web/locale/{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def listed(text: str | Sequence[str] | None) -> list[str]:
    """A text, or one for each form of the plural."""
    return [text or ""] if text is None or isinstance(text, str) else list(text)


def messages(found: Catalog) -> list[Message]:
    return [message for message in found if message.id]


def places(text: str) -> list[str]:
    return sorted(PLACE.findall(text))


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """What the program says now, gathered as `make words` does."""
    marked = re.search(r"^MARKED := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert marked
    words = tmp_path_factory.mktemp("words") / "words.pot"
    gather = [sys.executable, "-m", "babel.messages.frontend", "-q", "extract", "-F", "pyproject.toml"]
    subprocess.run([*gather, *marked[1].split(), "-o", str(words), "arena"], cwd=ROOT, check=True)
    with words.open("rb") as file:
        return read_po(file)


@translated
def test_all_that_the_program_says_is_in_the_translation_and_nothing_else(code: str, said: Catalog) -> None:
    assert {str(one.id) for one in messages(translation(code))} == {str(one.id) for one in messages(said)}


@translated
def test_everything_is_translated_by_somebody_who_was_sure(code: str) -> None:
    found = translation(code)
    assert [one.id for one in messages(found) if one.fuzzy or not all(listed(one.string))] == []
    assert list(found.obsolete) == []


@translated
def test_a_number_of_things_has_as_many_forms_as_the_language(code: str) -> None:
    found = translation(code)
    assert {len(listed(one.string)) for one in messages(found) if one.pluralizable} == {found.num_plurals}


@translated
def test_a_translation_has_the_places_of_its_source(code: str) -> None:
    """The form for one thing may say it in a word instead of by the number."""
    for one in messages(translation(code)):
        wanted = places(listed(one.id)[-1])
        *single, general = map(places, listed(one.string))
        assert general == wanted, one.id
        assert all(found in (wanted, [place for place in wanted if place != NUMBER]) for found in single), one.id


@translated
def test_a_translation_ends_as_its_source(code: str) -> None:
    """What leads to a command, a list or a number still does, and no space at an end is lost or won."""
    for one in messages(translation(code)):
        source, text = listed(one.id)[-1], listed(one.string)[-1]
        assert text == text.strip(), source
        assert [text.endswith(end) for end in ":…"] == [source.endswith(end) for end in ":…"], source


def test_nothing_in_greek_is_still_in_english() -> None:
    units = {"%(count)s ms", "%(ms)s ms", "nElo %(nelo)s ± %(half)s"}
    words = {str(one.id): str(one.string) for one in messages(translation("el"))}
    english = {source for source in words if re.search("[A-Za-z]", PLACE.sub("", source))}
    assert {source for source in english if not re.search("[Α-Ωα-ώ]", words[source])} == units
