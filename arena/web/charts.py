"""Charts as SVG by matplotlib, in the colours of the pages: one drawing for light pages and one for dark ones.

They are resources of their own, shown by `<img>`: matplotlib's drawings have style attributes, which the pages forbid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SVG = "image/svg+xml"

MEASURED = "DejaVu Sans"
"""The font that comes with matplotlib, by which it finds out how much room a text needs."""

SHOWN = f"system-ui, '{MEASURED}'".encode()
"""The fonts in which a text is shown: those of the pages."""

INCH = 72
"""Matplotlib counts in inches, and SVG gets so many units for each."""

ThemeName = Literal["light", "dark"]


@dataclass(frozen=True)
class Theme:
    """The colours of a chart, those of `static/arena.css`; `series` are for lines and areas, in this order."""

    ink: str
    quiet: str
    line: str
    accent: str
    series: tuple[str, ...]


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        "#1b211e", "#5a645f", "#dcdfd8", "#14694a", ("#14694a", "#b9202f", "#805200", "#31618f", "#7b4b8f", "#5a645f")
    ),
    "dark": Theme(
        "#e7ece9", "#a3afa9", "#333d38", "#6fd0a6", ("#6fd0a6", "#ff9aa0", "#f0c260", "#8fc1ee", "#d0a5e0", "#a3afa9")
    ),
}

SETTINGS: Any = {
    "svg.fonttype": "none",  # letters stay letters
    "svg.hashsalt": "arena",  # the same drawing is the same bytes
    "font.family": MEASURED,
    "font.size": 10,
}

_one_at_a_time = Lock()
"""Matplotlib's settings are everybody's."""


def chart(draw: Callable[[Axes, Theme], None], theme: ThemeName, width: int = 640, height: int = 260) -> bytes:
    """An SVG of so many units, on which `draw` has drawn; frame, ticks and grid have the colours of the theme."""
    from matplotlib import rc_context  # noqa: PLC0415 — takes half a second, which no page without a chart should
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    colours, drawn = THEMES[theme], BytesIO()
    with _one_at_a_time, rc_context(SETTINGS):
        figure = Figure(figsize=(width / INCH, height / INCH), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        _dress(axes, colours)
        draw(axes, colours)
        figure.savefig(drawn, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return drawn.getvalue().replace(f"'{MEASURED}'".encode(), SHOWN)


def _dress(axes: Axes, theme: Theme) -> None:
    """No more ink than the numbers need."""
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(theme.line)
    axes.tick_params(colors=theme.quiet, length=0)
    axes.grid(visible=True, axis="y", color=theme.line, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_prop_cycle(color=theme.series)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_color(theme.quiet)
