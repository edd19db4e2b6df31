"""The way of a bot from an archive to its owner's list, walked with a real browser: with scripts and without."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.arena_bots.archives import tar
from tests.bots.making import make_scripted
from tests.needs import needs
from tests.web.browsing import LOOKS, looking, overflow, serious
from tests.web.serving import served
from tests.web.signing import token_in

pytestmark = [pytest.mark.slow, needs("chromium", "sandbox")]

PHONE, DESKTOP = LOOKS[3], LOOKS[0]
CHECKED_MS = 100_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def here(path: Path) -> Iterator[str]:
    """Where a server of its own listens."""
    token_in(path, "nobody")
    with served(path) as address:
        yield address


def archive(folder: Path, *words: str) -> Path:
    """A file with the scripted bot that obeys `words`."""
    bot = make_scripted(folder / "fox", *words)
    file = folder / "fox.tar"
    file.write_bytes(tar({one.name: one.read_bytes() for one in bot.iterdir()}))
    return file


def send(page: Page, token: str, file: Path) -> None:
    """From the bar at the top to a bot that is being checked, by keyboard but for the choice of the file."""
    page.goto("/")
    page.get_by_role("link", name="Your bots").press("Enter")
    page.get_by_label("Token").fill(token)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Submit a bot").press("Enter")
    page.get_by_label("Archive").set_input_files(file)
    page.get_by_role("button", name="Submit").press("Enter")
    expect(page).to_have_url(re.compile("/submit/."))


def test_its_owner_sees_it_being_checked_and_then_retires_it(
    browser: Browser, here: str, path: Path, tmp_path: Path
) -> None:
    with looking(browser, here, DESKTOP) as (page, complaints):
        send(page, token_in(path, "ada"), archive(tmp_path))
        page.evaluate("window.notLoadedAnew = true")
        expect(page.get_by_text("Tournaments play it from now on.")).to_be_visible(timeout=CHECKED_MS)
        assert page.evaluate("window.notLoadedAnew")
        expect(page.locator(".steps > li")).to_have_count(11)
        expect(page.get_by_role("heading", name="fox 1")).to_be_visible()
        page.get_by_role("link", name="To your bots").click()
        page.get_by_role("button", name="Retire fox 1").press("Enter")
        expect(page.get_by_role("button", name="Restore fox 1")).to_be_visible()
        page.get_by_role("link", name="Log of fox 1").click()
        expect(page.get_by_text("Nothing has happened to it that is shown here.")).to_be_visible()
        assert complaints == []


def test_without_scripts_the_page_is_loaded_anew_until_the_reason_is_there(
    browser: Browser, here: str, path: Path, tmp_path: Path
) -> None:
    with looking(browser, here, PHONE, java_script_enabled=False) as (page, complaints):
        send(page, token_in(path, "ada"), archive(tmp_path, "illegal:NOT_A_SET"))
        expect(page.get_by_text("Mend that, and submit the bot again.")).to_be_visible(timeout=CHECKED_MS)
        expect(page.get_by_text("NOT_A_SET").first).to_be_visible()
        assert complaints == []


def test_while_it_is_checked_everybody_can_read_how_far_it_is(
    browser: Browser, here: str, path: Path, tmp_path: Path
) -> None:
    with looking(browser, here, PHONE) as (page, complaints):
        send(page, token_in(path, "ada"), archive(tmp_path, "slow:100"))
        expect(page.get_by_text("This takes about a minute.")).to_be_visible(timeout=CHECKED_MS)
        assert serious(page) == []
        assert overflow(page) == 0
        assert complaints == []
