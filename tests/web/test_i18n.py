"""Languages: who gets which, how numbers are written, and that choosing one leads back to our own pages only."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fastapi.testclient import TestClient

from arena.web.i18n import CODES, choose, languages
from arena.web.queries import is_ours

LANGUAGES = languages()


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("el", "el"),
        ("el-GR,el;q=0.9,en;q=0.8", "el"),
        ("fr, id;q=0.4, en;q=0.3", "id"),
        ("in", "id"),
        ("en;q=0.1, el;q=0.2", "el"),
        ("el;q=0", "en"),
        ("de", "en"),
        ("", "en"),
        ("*", "en"),
        ("el;q=x, id;q=0.1", "id"),
        ("," * 9999, "en"),
    ],
)
def test_the_browser_chooses_among_what_there_is(accepted: str, code: str) -> None:
    assert choose(None, accepted) == code


def test_what_was_chosen_by_hand_counts_more_unless_it_is_nonsense() -> None:
    assert choose("id", "el") == "id"
    assert choose("<script>", "el") == "el"


def test_numbers_are_written_as_in_the_language() -> None:
    written = {code: LANGUAGES[code].number(1234.5, 1) for code in CODES}
    assert written == {"en": "1,234.5", "el": "1.234,5", "id": "1.234,5"}
    assert LANGUAGES["el"].signed(-0.25) == "−0,25"
    assert LANGUAGES["en"].signed(0.001) == LANGUAGES["en"].signed(-0.001) == "0.00"
    assert LANGUAGES["en"].signed(2) == "+2.00"
    assert LANGUAGES["en"].percent(0.125, 1) == "12.5\N{NO-BREAK SPACE}%"
    assert LANGUAGES["el"].elo(1499.6) == "1500"
    assert {LANGUAGES["en"].number(None), LANGUAGES["en"].signed(None), LANGUAGES["en"].percent(None)} == {"–"}


def test_days_are_written_as_in_the_language_and_moments_in_utc() -> None:
    day = datetime(2026, 11, 30, 7, 5, tzinfo=UTC)
    assert [LANGUAGES[code].date(day) for code in CODES] == ["Nov 30, 2026", "30 Νοε 2026", "30 Nov 2026"]
    assert all(LANGUAGES[code].moment(day).endswith(" UTC") for code in CODES)
    assert LANGUAGES["en"].duration(7200) == "2 hours"


def test_a_language_names_itself() -> None:
    assert [LANGUAGES[code].name for code in CODES] == ["English", "Ελληνικά", "Indonesia"]


def test_choosing_a_language_is_remembered_and_leads_back(client: TestClient) -> None:
    answer = client.get("/language/el?back=/%3Fsort%3D-points", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/?sort=-points")
    assert 'lang="el"' in client.get("/").text
    assert client.get("/language/xx").status_code == 404


@pytest.mark.parametrize("back", ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "", "/\t/evil"])
def test_choosing_a_language_leads_to_no_other_site(client: TestClient, back: str) -> None:
    assert not is_ours(back)
    assert client.get("/language/el", params={"back": back}, follow_redirects=False).headers["location"] == "/"


GREEK = {"accept-language": "el"}


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("/tournaments/none", 404, "δεν υπάρχει τουρνουά &#39;none&#39;: το `arena tournament list` τα δείχνει όλα"),
        ("/matches/run/9/first", 422, None),
        ("/bots/nobody", 404, "δεν υπάρχει μποτ &#39;nobody&#39;"),
        ("/matches?bots=a,b,c", 422, "δώσε ένα μποτ, ή δύο για τους αγώνες μεταξύ τους"),
        ("/games/none", 404, "δεν υπάρχει (πια) τέτοια παρτίδα"),
    ],
)
def test_why_nothing_is_shown_is_told_in_the_readers_language_or_marked_as_english(
    client: TestClient, address: str, status: int, said: str | None
) -> None:
    answer = client.get(address, headers=GREEK)
    assert answer.status_code == status
    assert ('<p class="reason"><bdi lang="en">' if said is None else f'<p class="reason"><bdi>{said}') in answer.text


def test_programs_are_told_in_english_whatever_their_language(client: TestClient) -> None:
    document = client.get("/api/v1/tournaments/none", headers=GREEK).json()
    assert document["detail"].startswith("there is no tournament 'none'")
