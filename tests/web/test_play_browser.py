"""Whole games in a real browser: by taps, by keys, without scripts, in two tabs; and what a killed server leaves."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx2 import Client
from playwright.sync_api import Browser, Locator, Page, expect

from tests.end_to_end.arena import Arena, family, survivors
from tests.needs import needs
from tests.web.browsing import LOOKS, Look, keep, looking, overflow, serious
from tests.web.serving import served
from tests.web.signing import form_token

pytestmark = [pytest.mark.slow]

PATIENCE_MS = 60_000
DECLARES_AT = 12
MOST_TURNS = 200


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of an arena in which nothing was played yet."""
    with served(tmp_path_factory.mktemp("tables") / "arena.db") as address:
        yield address


def sit_down(page: Page, *labels: str) -> None:
    page.goto("/play")
    for number in range(1, 4):
        page.select_option(f"#bot-{number}", label=labels[number - 1] if number <= len(labels) else "nobody")
    page.select_option("#first", "me")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#move").wait_for(timeout=PATIENCE_MS)
    page.wait_for_load_state("load")  # before that no script hears a key


def whats_next(page: Page) -> Locator:
    """The person's turn, the end of a deal that waits, what others play, or the end."""
    found = page.locator("#move:not([inert]), [data-go-on]:visible, [data-skip]:visible, .outcome").first
    found.wait_for(timeout=PATIENCE_MS)
    return found


def total_of(page: Page) -> int:
    return int(page.locator("#move .seat-figures").inner_text().split()[-1])


def play_on(page: Page, keys: bool) -> None:
    """Play until the match is over, by taps or by keys alone."""
    for _ in range(MOST_TURNS):
        whats_next(page)
        if page.locator(".outcome").count():
            return
        if page.locator("[data-go-on]:visible").count():
            page.keyboard.press("Enter") if keys else page.locator("[data-go-on]").click()
        elif page.locator("#move").count():
            declares = total_of(page) <= DECLARES_AT
            (press if keys else tap)(page, declares)
            if declares and page.locator("[data-problem]:not(:empty)").count():  # on the first turn of a deal
                (press if keys else tap)(page, False)
        else:
            page.locator("[data-skip]").dispatch_event("click")
    pytest.fail("the match goes on and on")


def tap(page: Page, declares: bool) -> None:
    done = is_done(page)
    if declares:
        page.locator("#move [value=declare]").click(force=True)  # also where it only says why one may not yet
    else:
        page.locator("#move .pick").last.click()
        page.locator(".pick:has([value=closed])").click()
        page.locator("#move [value=play]").click()
    done.first.wait_for(state="attached", timeout=PATIENCE_MS)


def press(page: Page, declares: bool) -> None:
    done = is_done(page)
    for key in "d" if declares else (str(page.locator("#move .pick").count()), "c", "Enter"):
        page.keyboard.press(key)
    done.first.wait_for(state="attached", timeout=PATIENCE_MS)


def is_done(page: Page) -> Locator:
    """What is on the page when the present turn is over, or was refused."""
    turn = page.locator("#move [name=turn]").input_value()
    over = page.locator(f"#game:not(:has(#move [name=turn][value='{turn}']))")
    return over.or_(page.locator("[data-problem]:not(:empty)"))


@needs("chromium")
@pytest.mark.parametrize(("look", "keys"), [(LOOKS[0], True), (LOOKS[3], False)], ids=["keys", "taps"])
def test_a_whole_game_is_played_and_looked_at_again(browser: Browser, address: str, look: Look, *, keys: bool) -> None:
    with looking(browser, address, look) as (page, complaints):
        sit_down(page, "greedy 1.0", "random 1.0")
        keep(page, f"play table {look.label}")
        assert (serious(page), overflow(page)) == ([], 0)
        play_on(page, keys)
        keep(page, f"play over {look.label}")
        assert (serious(page), overflow(page)) == ([], 0)
        expect(page.locator("[data-leave]")).to_have_count(0)
        page.locator(".outcome a").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("greedy, random")
        page.locator("[data-play]").wait_for()
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile("turn=0"))
        assert complaints == []


@needs("chromium")
def test_why_a_choice_is_refused_is_told_and_the_choice_stays(browser: Browser, address: str) -> None:
    with looking(browser, address, LOOKS[0]) as (page, complaints):
        sit_down(page, "greedy 1.0")
        page.keyboard.press("1")
        page.locator("#move [value=play]").click()
        expect(page.locator("[data-problem]")).to_contain_text("Choose what you take")
        expect(page.locator("#move input:checked")).to_have_count(1)
        page.keyboard.press("c")
        expect(page.locator("[data-problem]")).to_be_empty()
        page.keyboard.press("h")
        expect(page.locator(".hint li")).to_have_count(3, timeout=PATIENCE_MS)
        keep(page, "play hint")
        assert serious(page) == []
        assert complaints == []


@needs("chromium")
def test_what_is_done_in_one_tab_is_seen_in_another_and_done_once(browser: Browser, address: str) -> None:
    with looking(browser, address, LOOKS[0]) as (page, complaints):
        sit_down(page, "greedy 1.0")
        second = page.context.new_page()
        second.goto(page.url)
        turn = page.locator("#move [name=turn]").input_value()
        tap(page, False)
        expect(second.locator(f"#move:has([name=turn][value='{turn}'])")).to_have_count(0, timeout=PATIENCE_MS)
        expect(second.locator(".story li").first).to_contain_text("You throw")
        page.reload()
        expect(page.locator(".story li").first).to_contain_text("You throw")
        second.get_by_role("button", name="Leave the table").click()
        expect(page.get_by_text("ended before it was over")).to_be_visible(timeout=PATIENCE_MS)
        assert complaints == []


@needs("chromium")
def test_it_is_played_without_scripts(browser: Browser, address: str) -> None:
    with looking(browser, address, LOOKS[3], java_script_enabled=False) as (page, complaints):
        sit_down(page, "greedy 1.0", "random 1.0")
        for _ in range(3):
            if not page.locator("#move").count():
                break
            page.locator("#move .pick").last.click()
            page.locator(".pick:has([value=closed])").click()
            page.locator("#move [value=play]").click()
            page.locator("#move, .outcome").first.wait_for(timeout=PATIENCE_MS)
            expect(page.locator(".story li").first).not_to_be_empty()
        keep(page, "play without scripts")
        page.locator("[data-leave] button").click()
        expect(page).to_have_url(re.compile("/play$"))
        assert complaints == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_bot_outlives_the_server(tmp_path: Path, number: signal.Signals) -> None:
    server = Arena(tmp_path).start("serve", "--port", "0")
    assert server.stdout is not None
    (address,) = re.findall(r"http://[^ ]+", server.stdout.readline())
    with Client(base_url=address) as client:
        page = client.get("/play").text
        (bot,) = re.findall(r'value="([0-9a-f]{64})"[^>]*>greedy ', page)[:1]
        data = {"form_token": form_token(page), "bot": bot, "rules": "short", "first": "me"}
        table = client.post("/play", data=data).headers["location"]
        with client.stream("GET", f"{table}/news") as news:
            assert any('name=\\"turn\\"' in line for line in news.iter_lines())
    processes = family(server)
    assert len(processes) > 1
    server.send_signal(number)
    server.communicate()
    assert survivors(processes, 15.0) == []
