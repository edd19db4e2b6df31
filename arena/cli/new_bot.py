"""`arena bots new`: the folder of a new bot that plays as it is, to begin from."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from arena.bots.languages import LANGUAGES, Languages
from arena.bots.new_folder import make_folder
from arena.cli.errors import Misuse
from arena.cli.output import console, plain
from arena.settings import MY_BOTS, sample_bots


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the bot is called.")],
    language: Annotated[
        Languages, typer.Option(metavar="WORD", help="python, javascript or go.", case_sensitive=False)
    ] = Languages.PYTHON,
    folder: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The folder to make; default: my_bots/NAME.", show_default=False)
    ] = None,
) -> None:
    """Begin a bot: makes a folder with a bot that plays as it is, its test, and a README with the next steps."""
    called = _checked(name)
    target = folder or MY_BOTS / called
    make_folder(target, called, language, sample_bots())
    for line in _next_steps(target, language):
        console().print(plain(line), soft_wrap=True)


def _checked(name: str) -> str:
    """The name in normal form; Misuse, or what `check_label` raises, when no bot can be called so or another is."""
    from arena.bots.folders import called, discover
    from arena.bots.names import MAX_NAME, check_label, look_alike

    name = check_label("name", name, MAX_NAME)
    samples = [bot.name for bot in discover([sample_bots()], broken=True)]
    if name in samples:
        raise Misuse(f"the name '{name}' belongs to a sample bot; choose another")
    if (other := look_alike(name, samples)) is not None:
        raise Misuse(f"the name '{name}' looks like '{other}', which is a sample bot; choose another")
    if others := called(name, [MY_BOTS]):
        raise Misuse(f"there is a bot '{name}' already: {others[0]}; choose another name")
    return name


def _next_steps(target: Path, language: Languages) -> Iterator[str]:
    made = LANGUAGES[language]
    yield f"Made {target}, a bot in {made.title} that plays as it is; {made.main} there says how."
    program = made.program
    if made.needed is None:
        program = _interpreter(program)
    elif lacking := made.lacks():
        yield f"It needs {made.needed}, and {lacking}: install that first."
    place = quote(str(target))
    steps = {
        f"cd {place} && {program} {made.test}": "its own test",
        f"arena bots check {place}": "what the arena thinks of it",
        f"arena tournament run {place} greedy planner": "see it play",
        f"arena submit {place}": "let every tournament play it",
    }
    longest = max(map(len, steps))
    for command, use in steps.items():
        yield f"  {command:{longest}}   {use}"


def _interpreter(name: str) -> str:
    """How the Python that has the arena is called from a shell."""
    found = shutil.which(name)
    return name if found and Path(found).parent == Path(sys.executable).parent else quote(sys.executable)
