"""A real browser that looks at pages: at all sizes, schemes and languages, and that minds what no page may do."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Playwright, Request

ARTEFACTS = Path(__file__).parents[2] / "artefacts"
"""Where screenshots are kept for people to look at."""

WIDTHS = {"desktop": (1280, 900), "phone": (360, 780)}


class Look(NamedTuple):
    """How a reader looks at a page."""

    width: str
    scheme: str
    language: str

    @property
    def label(self) -> str:
        return "-".join(self)


LOOKS = (
    Look("desktop", "light", "en"),
    Look("phone", "light", "el"),
    Look("desktop", "dark", "id"),
    Look("phone", "dark", "en"),
    Look("desktop", "light", "el"),
    Look("phone", "light", "id"),
)
"""Every width, scheme and language with every other but two."""


def launch(playwright: Playwright) -> Browser:
    """The system's browser. Its own sandbox does not work for root; it sees nothing but our pages."""
    return playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])


FORBIDDEN = """
document.addEventListener("securitypolicyviolation", (seen) =>
  console.error(`forbidden by ${seen.violatedDirective}: ${seen.blockedURI} ${seen.sample}`));
"""
"""Lets a page say what its policy forbade it, also where the browser itself says nothing."""


class Complaints(list[str]):
    """What no page may do, as it was seen."""

    def listen(self, page: Page, host: str) -> None:
        """Watch a page from now on."""

        def said(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self.append(f"console: {message.text}")

        def asked(request: Request) -> None:
            if urlsplit(request.url).netloc != host:
                self.append(f"asked another host: {request.url}")

        def failed(error: Error) -> None:
            self.append(f"script: {error}")

        page.add_init_script(FORBIDDEN)
        page.on("console", said)
        page.on("request", asked)
        page.on("pageerror", failed)


@contextmanager
def looking(browser: Browser, address: str, look: Look, **options: Any) -> Iterator[tuple[Page, Complaints]]:
    """A page of a fresh reader at the server at `address`, and what is to be complained about."""
    width, height = WIDTHS[look.width]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        color_scheme="dark" if look.scheme == "dark" else "light",
        locale=look.language,
        has_touch=look.width == "phone",
        **options,
    )
    try:
        page, complaints = context.new_page(), Complaints()
        complaints.listen(page, urlsplit(address).netloc)
        yield page, complaints
    finally:
        context.close()


def keep(page: Page, name: str) -> None:
    """Keep a picture of the whole page."""
    ARTEFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}.png", full_page=True)


CONTRAST = {
    "ignoreUnicode": False,
    "ignoreLength": True,
    "ignorePseudo": False,
    "boldValue": 700,
    "boldTextPt": 14,
    "largeTextPt": 18,
    "contrastRatio": {"normal": {"expected": 4.5}, "large": {"expected": 3}},
    "pseudoSizeThreshold": 0.25,
    "shadowOutlineEmMax": 0.2,
    "textStrokeEmMin": 0.03,
}
"""Of axe's contrast check, whose options come as a whole: a text of one character and a sign of a suit count, too."""


def serious(page: Page) -> list[str]:
    """What axe finds that keeps somebody from using the page, a line each."""
    options = {"checks": {"color-contrast": {"options": CONTRAST}}}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {node['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
