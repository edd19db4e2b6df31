"""Options that several commands share, and what the help says of formats."""

import inspect
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.errors import Misuse
from arena.cli.lineups import ELSEWHERE, NAMED, Lineups
from arena.cli.options import limits, pace, variant, with_options
from arena.cli.tournament_run import FORMATS as SAID
from arena.game.variant import Crossing, Variant
from arena.match.limits import Limits
from arena.tournament import formats


@with_options(rules=variant, clock=limits)
def command(bots: list[str], count: Annotated[int, typer.Option()] = 1, *, rules: Variant, clock: Limits) -> None:
    """Say what came."""
    typer.echo(repr((bots, count, rules, clock)))


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    app.command()(command)
    return app


def test_a_command_gets_what_a_group_makes_of_its_options(app: typer.Typer) -> None:
    said = CliRunner().invoke(app, ["a", "b", "--crossing", "reach", "--no-upcard", "--bank-ms", "7", "--count", "2"])
    wanted = (["a", "b"], 2, Variant(crossing=Crossing.REACH, upcard=False), Limits(bank_ms=7))
    assert said.output.strip() == repr(wanted)


def test_without_options_a_group_makes_the_default(app: typer.Typer) -> None:
    assert CliRunner().invoke(app, ["a"]).output.strip() == repr((["a"], 1, Variant(), Limits()))


def test_the_options_of_groups_stand_behind_the_commands_own_in_order() -> None:
    names = list(inspect.signature(command).parameters)
    assert names == ["bots", "count", *inspect.signature(variant).parameters, *inspect.signature(limits).parameters]
    assert not set(names) & set(inspect.signature(pace).parameters)


def test_the_help_explains_every_format_that_can_be_named() -> None:
    named = {line.split(":")[0] for line in SAID.splitlines()[1:] if line}
    assert named == set(NAMED) == set(formats.FORMATS) - set(ELSEWHERE)


def test_a_format_that_is_not_there_is_answered_with_those_that_can_be_named() -> None:
    with pytest.raises(Misuse, match=r"choose round-robin, gauntlet, swiss or knockout$"):
        Lineups("foo", None, None, (), None, None).format_name()
