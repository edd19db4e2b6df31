"""`arena ab`: is a new version of a bot better than the old one? Its options; the work is in `opening.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.errors import Misuse
from arena.cli.options import Keeping, Pace, keeping, limits, option, pace, variant, with_options
from arena.game.variant import Variant, check_variant
from arena.match.limits import Limits

if TYPE_CHECKING:
    from arena.cli.choosing import Bot

FORMAT = "ab"
PANEL = "The test"


@dataclass(frozen=True, slots=True)
class Test:
    """What was asked for: the options of the sequential test that were given, or a fixed number of blocks."""

    sequential: Mapping[str, Any]
    fixed: int | None

    def check(self) -> None:
        """Misuse when what was asked for does not go together."""
        if self.fixed is not None and self.sequential:
            name = next(iter(self.sequential)).replace("blocks", "most-blocks")
            raise Misuse(
                f"--fixed plays just so many blocks and tests nothing on the way, so --{name} does not go with it: "
                "leave one of them out"
            )

    def options(self, bots: Sequence[Bot]) -> dict[str, Any]:
        """The options of the format; the first of the `bots` is A."""
        how = dict(self.sequential) if self.fixed is None else {"fixed": self.fixed}
        return {"a": bots[0].digest.hex()} | how


def test(
    nelo0: Annotated[
        float | None, option(PANEL, "H0 in normalised Elo: A is this much better than B; default: 0.", metavar="NELO")
    ] = None,
    nelo1: Annotated[
        float | None, option(PANEL, "H1 in normalised Elo: A is this much better than B; default: 10.", metavar="NELO")
    ] = None,
    elo0: Annotated[
        float | None, option(PANEL, "H0 in logistic Elo, instead of nElo; default: 0.", metavar="ELO")
    ] = None,
    elo1: Annotated[
        float | None, option(PANEL, "H1 in logistic Elo, instead of nElo; default: 10.", metavar="ELO")
    ] = None,
    alpha: Annotated[
        float | None, option(PANEL, "Chance to accept H1 though H0 is true; default: 0.05.", metavar="SHARE")
    ] = None,
    beta: Annotated[
        float | None, option(PANEL, "Chance to accept H0 though H1 is true; default: 0.05.", metavar="SHARE")
    ] = None,
    most_blocks: Annotated[int | None, option(PANEL, "Stop undecided after so many; default: 20000.", min=1)] = None,
    fixed: Annotated[int | None, option(PANEL, "No test on the way: play so many blocks, and measure.", min=1)] = None,
) -> Test:
    """What the options ask for."""
    asked = {
        "nelo0": nelo0,
        "nelo1": nelo1,
        "elo0": elo0,
        "elo1": elo1,
        "alpha": alpha,
        "beta": beta,
        "blocks": most_blocks,
    }
    return Test({name: value for name, value in asked.items() if value is not None}, fixed)


@with_options(test=test, variant=variant, limits=limits, keeping=keeping, pace=pace)
def ab(
    a: Annotated[str, typer.Argument(help="The bot that may be better: a folder, a name or an address.", metavar="A")],
    b: Annotated[str, typer.Argument(help="The bot that it is compared with.", metavar="B")],
    seats: Annotated[int, option(PANEL, "2, or 4: two clones of each bot, seated by turns.")] = 2,
    json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
    *,
    test: Test,
    variant: Variant,
    limits: Limits,
    keeping: Keeping,
    pace: Pace,
) -> None:
    """Test whether bot A is better than bot B, with few matches.

    Both play the same cards from every seat. Block after block a sequential
    test (SPRT) weighs hypothesis H1 against H0, and stops as soon as it can
    accept one of them. After Ctrl-C `arena tournament resume` goes on.

    Two versions of one bot are two folders, `arena ab my_bots/fox2 my_bots/fox`, or, when both were submitted,
    `arena ab fox@1.0+2 fox@1.0`.
    """
    check_variant(variant, seats)
    test.check()
    if a == b:
        raise Misuse(f"{a} is named twice, and a bot cannot be told from itself in a result: name two different bots")
    from arena.cli.ab_report import show_test
    from arena.cli.opening import open_and_play
    from arena.cli.order import Order

    order = Order((a, b), FORMAT, seats, None, variant, limits, keeping, test.options, least=2)
    open_and_play(order, pace, partial(show_test, json=json))
