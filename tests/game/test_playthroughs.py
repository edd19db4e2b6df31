"""Matches that were looked at once stay as they are; `playthroughs` says how to renew them."""

import pytest

from tests.game.playthroughs import FOLDER, PLAYTHROUGHS, text_of


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_match_looks_as_it_did_when_it_was_checked(name: str) -> None:
    assert text_of(PLAYTHROUGHS[name]) == (FOLDER / f"{name}.txt").read_text()


def test_every_checked_match_is_still_played() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYTHROUGHS)
