"""Copies of `greedy` under names of their own, and so with digests of their own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from arena.bots.folders import BotFolder, open_folder, resolve
from arena.settings import sample_bots

EXPERIMENTS = "GRPC_EXPERIMENTS"
"""The variable by which gRPC is told, before it is loaded, how to work inside."""

START = """import os, runpy

os.environ[{name!r}] = {value!r}
runpy.run_path("main.py", run_name="__main__")
"""
"""A bot sees no environment of the arena's, so that it sets the variable itself."""


def copies(folder: Path, number: int) -> list[BotFolder]:
    """So many in this folder; they have the same gRPC experiments as this process."""
    greedy = resolve("greedy", [sample_bots()])
    return [_copy(greedy, folder / f"greedy-{which}") for which in range(number)]


def _copy(bot: BotFolder, folder: Path) -> BotFolder:
    shutil.copytree(bot.path, folder)
    manifest = folder / "bot.toml"
    text = manifest.read_text().replace(f'name = "{bot.name}"', f'name = "{folder.name}"')
    if EXPERIMENTS in os.environ:
        (folder / "start.py").write_text(START.format(name=EXPERIMENTS, value=os.environ[EXPERIMENTS]))
        text = text.replace("main.py", "start.py")
    manifest.write_text(text)
    return open_folder(folder)
