"""The replay as a person uses it: by keys, by clicks, and by letting it play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import LOOKS, Complaints, looking
from tests.web.pages import Stored

pytestmark = pytest.mark.slow


class Seen(NamedTuple):
    """A page that shows a match, and what is to be complained about."""

    page: Page
    complaints: Complaints
    match: str

    def is_at(self, query: str) -> None:
        expect(self.page).to_have_url(f"{self.page.url.split('/matches')[0]}{self.match}{query}")

    def press(self, name: str) -> None:
        self.page.get_by_role("link", name=name, exact=True).click()


@pytest.fixture
def seen(browser: Browser, address: str, stored: Stored) -> Iterator[Seen]:
    """A match at its beginning, ready to be stepped through; nothing is left to complain about."""
    match = f"/matches/{stored.match}"
    with looking(browser, address, LOOKS[0]) as (page, complaints):
        page.goto(match)
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        yield Seen(page, complaints, match)
        assert complaints == []


def test_arrow_keys_step_on_and_back(seen: Seen) -> None:
    seen.page.keyboard.press("ArrowRight")
    seen.is_at("?turn=0")
    expect(seen.page.locator("[data-slot=where]")).to_contain_text("turn 0")
    seen.page.keyboard.press("ArrowRight")
    seen.is_at("?turn=1")
    seen.page.keyboard.press("ArrowLeft")
    seen.is_at("?turn=0")
    expect(seen.page.locator("tr.is-current [href*='turn=0']")).to_be_visible()


def test_what_the_script_shows_is_what_the_page_of_that_turn_shows(seen: Seen) -> None:
    for _ in range(4):
        seen.page.keyboard.press("ArrowRight")
    seen.is_at("?turn=3")
    stepped = seen.page.locator(".felt").inner_text()
    seen.page.reload()
    assert seen.page.locator(".felt").inner_text() == stepped


def test_links_go_far_and_beyond_the_end_of_a_deal(seen: Seen) -> None:
    seen.press("Last step")
    expect(seen.page.locator("[data-slot=said]")).to_contain_text("The match is over")
    expect(seen.page.locator("[data-step=next]")).to_have_attribute("aria-disabled", "true")
    seen.press("First step")
    seen.is_at("?deal=0")
    seen.page.get_by_role("link", name="The end", exact=True).click()
    seen.is_at("?deal=0&end=true")
    seen.press("Step on")
    seen.is_at("?deal=1")
    expect(seen.page.get_by_role("region", name="Turns of deal 1")).to_be_visible()
    seen.press("Step back")
    seen.is_at("?deal=0&end=true")


def test_it_plays_by_itself_until_the_end(seen: Seen) -> None:
    seen.press("Last step")
    seen.press("Step back")
    seen.press("Step back")
    seen.page.get_by_label("Speed").select_option("8")
    seen.page.get_by_role("button", name="Play").click()
    expect(seen.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(seen.page.locator("[data-slot=said]")).to_contain_text("The match is over")
    expect(seen.page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


def test_the_slider_jumps_within_the_deal(seen: Seen) -> None:
    seen.page.get_by_label("Step of this deal").fill("3")
    seen.is_at("?turn=2")


def test_the_eyes_of_a_seat_see_the_same_turn(seen: Seen) -> None:
    seen.page.keyboard.press("ArrowRight")
    seen.is_at("?turn=0")
    seen.page.get_by_label("Through whose eyes").get_by_role("link").nth(2).click()
    seen.is_at("?turn=0&seat=1")
    expect(seen.page.locator(".felt .card.back").nth(8)).to_be_visible()
    expect(seen.page.get_by_role("button", name="Play")).to_be_visible()
    seen.page.keyboard.press("ArrowRight")
    seen.is_at("?turn=1&seat=1")


def test_a_turn_is_explained_in_place_and_the_next_one_asks_again(seen: Seen) -> None:
    seen.page.keyboard.press("ArrowRight")
    ask = seen.page.get_by_role("link", name="What was this turn worth?")
    ask.click()
    expect(seen.page.get_by_role("heading", name="What turn 0 was worth")).to_be_visible(timeout=30_000)
    seen.is_at("?turn=0")
    seen.page.keyboard.press("ArrowRight")
    expect(ask).to_be_visible()


def test_steps_that_cannot_be_loaded_are_told_and_the_links_still_lead_on(
    browser: Browser, address: str, stored: Stored
) -> None:
    with looking(browser, address, LOOKS[0]) as (page, _):
        page.route("**/deals/*", lambda route: route.abort())
        page.goto(f"/matches/{stored.match}")
        expect(page.get_by_role("status")).to_contain_text("cannot be loaded")
        page.get_by_role("link", name="Step on", exact=True).click()
        expect(page.locator("[data-slot=where]")).to_contain_text("turn 0")


def test_without_a_script_links_and_a_form_lead_to_every_turn(browser: Browser, address: str, stored: Stored) -> None:
    with looking(browser, address, LOOKS[0], java_script_enabled=False) as (page, _):
        page.goto(f"/matches/{stored.match}?seat=1")
        page.get_by_role("link", name="Step on", exact=True).click()
        assert page.url.endswith("?turn=0&seat=1")
        page.get_by_label("Turn", exact=True).fill("4")
        page.get_by_role("button", name="Go").click()
        assert "turn=4" in page.url
        assert "seat=1" in page.url
        page.get_by_role("link", name="All hands").click()
        assert page.url.endswith("?turn=4")
