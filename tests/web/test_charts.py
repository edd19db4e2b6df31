"""Charts: the same numbers are the same bytes, and a browser shows their colours under the policy of the pages."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from PIL import Image
from playwright.sync_api import Browser

from arena.web.app import create_app
from arena.web.charts import SVG, THEMES, Theme, chart
from arena.web.view import Viewing
from tests.needs import needs
from tests.web.browsing import LOOKS, looking
from tests.web.serving import served_app, settings


def line(axes: Axes, theme: Theme) -> None:
    axes.plot([1, 2, 3], [1500, 1620, 1580], linewidth=8)
    axes.set_xlabel("Αγώνες")


def test_the_same_chart_is_the_same_bytes_with_letters_in_it() -> None:
    assert chart(line, "light") == chart(line, "light") != chart(line, "dark")
    assert "Αγώνες" in chart(line, "light").decode()
    assert b"<script" not in chart(line, "light")


@needs("chromium")
@pytest.mark.slow
def test_a_browser_shows_its_colours_though_pages_forbid_styles(browser: Browser, made_up: Path) -> None:
    app = create_app(settings(made_up))

    @app.get("/chart.svg")
    def show(view: Viewing) -> object:
        return view.kept(lambda: chart(line, "light"), media_type=SVG)

    with served_app(app) as address, looking(browser, address, LOOKS[0]) as (page, complaints):
        page.goto("/")
        page.evaluate("document.querySelector('main').innerHTML = '<img src=\"/chart.svg\" width=640 height=260>'")
        page.locator("main img").evaluate("image => image.decode()")
        image = Image.open(BytesIO(page.locator("main img").screenshot())).convert("RGB")
        colours = {colour for _, colour in image.getcolors(maxcolors=image.width * image.height) or ()}
        accent = THEMES["light"].accent
        assert tuple(bytes.fromhex(accent[1:])) in colours
        assert complaints == []
