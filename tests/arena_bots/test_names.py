"""Names of the world are welcome; invisible ones, and those that readers would take for another, are not."""

from __future__ import annotations

import pytest

from arena.bots.errors import ManifestError
from arena.bots.names import MAX_NAME, MAX_OWNER, check_label, look_alike


@pytest.mark.parametrize(
    "name", ["Δelta", "Ünïcödé", "日本", "हिन्दी", "🃏", "it's `here`", "<b>", "a.b", "x" * MAX_NAME, "fox 2"]
)
def test_names_of_the_world_are_welcome(name: str) -> None:
    assert check_label("name", name, MAX_NAME) == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "is empty"),
        ("x" * 41, "has 41 characters; at most 40"),
        ("a\tb", "invisible character"),
        ("a\u202eb", "invisible character"),
        ("a\u200bb", "invisible character"),
        ("a\u00a0b", "invisible character"),
        ("fox\ufe0f", "invisible character"),
        ("\u3164", "invisible character"),
        ("\u2800", "invisible character"),
        ("a\udcffb", "invisible character"),
        (" fox", "begins or ends with a space"),
        ("../fox", "looks like a path or an option"),
        ("--fox", "looks like a path or an option"),
        ("fox@1.0", "holds '@', which stands between name and version"),
        ("all", "is 'all', which stands for every bot"),
        ("fox" + "\N{COMBINING ACUTE ACCENT}" * 9, "heaps up marks"),
        ("\N{COMBINING ACUTE ACCENT}fox", "heaps up marks"),
    ],
)
def test_a_name_that_plays_tricks_is_refused_and_shown_without_its_trick(name: str, said: str) -> None:
    with pytest.raises(ManifestError, match=said) as caught:
        check_label("name", name, MAX_NAME)
    assert str(caught.value).isprintable()


def test_an_owner_may_be_an_address_of_mail_or_all() -> None:
    assert [check_label("owner", owner, MAX_OWNER) for owner in ("ann@example.org", "all")] == [
        "ann@example.org",
        "all",
    ]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Fox", "fox"),
        ("fox", "f\N{CYRILLIC SMALL LETTER O}x"),
        ("\N{CYRILLIC CAPITAL LETTER VE}\N{CYRILLIC CAPITAL LETTER O}\N{CYRILLIC CAPITAL LETTER TE}", "bot"),
        ("\N{GREEK CAPITAL LETTER ETA}are", "hare"),
        ("Вася", "вася"),
        ("planner", "p1anner"),
        ("bot", "b0t"),
        ("ill", "I1l"),
        ("ｆｏｘ", "fox"),
        ("𝐟𝐨𝐱", "fox"),
        ("comer", "corner"),
        ("Bot A", "bot_a"),
        ("straße", "STRASSE"),
        ("caf\u00e9", "cafe\u0301"),
        ("fox", "fox\N{COMBINING ACUTE ACCENT}"),
        ("fox", "f\N{COMBINING RING BELOW}o\N{COMBINING TILDE}x\N{COMBINING ENCLOSING CIRCLE}"),
        ("cafe", "café"),
        ("Αλεπού", "ΑΛΕΠΟΥ"),
        ("Μαΐα", "Μαία"),
    ],
)
def test_names_that_a_reader_would_mix_up_look_alike_from_both_sides(name: str, other: str) -> None:
    assert look_alike(name, ["greedy", other]) == other
    assert look_alike(other, ["greedy", name]) == name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("fox", "fox2"),
        ("hare", "have"),
        ("日本", "日木"),
        ("αλεπού", "λαγός"),
        ("Νίκη", "Νίκος"),
        ("Γιάννης", "Γιάννα"),
        ("かき", "がき"),
        ("दिन", "दीन"),
        ("दून", "दुन"),
    ],
)
def test_names_that_differ_for_a_reader_do_not(name: str, other: str) -> None:
    assert look_alike(name, [other]) is None


def test_a_name_does_not_look_like_itself() -> None:
    assert look_alike("fox", ["fox"]) is None
