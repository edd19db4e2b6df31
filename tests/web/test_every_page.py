"""What holds for every page, seen with a real browser."""

from __future__ import annotations

import re

import pytest
from fastapi.routing import APIRoute
from httpx2 import Client
from playwright.sync_api import Browser

from arena.web import accounts
from arena.web import pages as all_pages
from tests.needs import needs
from tests.web.browsing import LOOKS, Look, keep, looking, overflow, serious
from tests.web.pages import NOT_PAGES, PAGES, Page, Stored

EACH = pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.route}-{PAGES.index(page)}")


def test_every_page_is_looked_at() -> None:
    routes = [route for router in all_pages.PAGES for route in router.routes if isinstance(route, APIRoute)]
    shown = {route.name for route in routes if "GET" in (route.methods or ())}
    assert shown - NOT_PAGES == {page.route for page in PAGES}


@EACH
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.label)
@needs("chromium")
@pytest.mark.slow
def test_it_can_be_read_by_everybody_and_asks_nobody_else(
    browser: Browser, address: str, stored: Stored, page: Page, look: Look
) -> None:
    with looking(browser, address, look, **page.reader(stored)) as (shown, complaints):
        answer = shown.goto(page.address(stored))
        assert answer is not None and answer.ok
        shown.wait_for_load_state("networkidle")
        keep(shown, f"{page.route} {PAGES.index(page)} {look.label}")
        assert shown.locator("html").get_attribute("lang") == look.language
        assert shown.locator("h1").count() == 1
        assert overflow(shown) == 0
        assert serious(shown) == []
        assert complaints == []


OF_ITS_OWN = re.compile(r"<style|<script(?![^>]*\ssrc=)|<[^>]*\s(?:style|on[a-z]+)\s*=|javascript:", re.IGNORECASE)
"""Script and style that stand in a page, which its policy forbids."""


@EACH
@pytest.mark.slow
def test_it_has_no_script_and_no_style_of_its_own(address: str, stored: Stored, page: Page) -> None:
    cookies = {accounts.COOKIE: stored.session} if page.signed_in else {}
    with Client(base_url=address, cookies=cookies) as client:
        text = client.get(page.address(stored)).text
    assert "</html>" in text
    assert OF_ITS_OWN.findall(text) == []


@needs("chromium")
@pytest.mark.slow
def test_what_a_policy_forbids_is_complained_of(browser: Browser, address: str) -> None:
    with looking(browser, address, LOOKS[0]) as (shown, complaints):
        shown.goto("/rules")
        shown.evaluate("document.body.setAttribute('style', 'color: red')")
        shown.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')")
        shown.wait_for_load_state("networkidle")
    assert any("forbidden by style-src" in one for one in complaints)


@EACH
@needs("chromium")
@pytest.mark.slow
def test_the_keyboard_reaches_everything_and_shows_where_it_is(
    browser: Browser, address: str, stored: Stored, page: Page
) -> None:
    focused = "document.activeElement"
    with looking(browser, address, LOOKS[0], **page.reader(stored)) as (shown, _):
        shown.goto(page.address(stored))
        shown.keyboard.press("Tab")
        assert shown.evaluate(f"{focused}.className") == "skip"
        shown.keyboard.press("Enter")
        assert shown.evaluate(f"{focused}.id") == "content"
        shown.evaluate("document.activeElement.blur()")
        reachable = shown.locator("a[href]:visible, button:visible, input:visible, select:visible, summary:visible")
        for _ in range(reachable.count()):
            shown.keyboard.press("Tab")
            if shown.evaluate(f"{focused} === document.body"):
                break  # it has gone round
            outline = shown.evaluate(f"getComputedStyle({focused}).outlineStyle")
            assert outline != "none", shown.evaluate(f"{focused}.outerHTML")


@EACH
@needs("chromium")
@pytest.mark.slow
def test_it_can_be_read_without_scripts(browser: Browser, address: str, stored: Stored, page: Page) -> None:
    with looking(browser, address, LOOKS[0], java_script_enabled=False, **page.reader(stored)) as (shown, _):
        shown.goto(page.address(stored))
        assert shown.locator("main h1").inner_text() != ""
