"""The sample bots in Python as functions, without their processes; and those of other languages, built beforehand."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

from arena.bots.sandbox import search_path

SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots"
NAMES = sorted(path.parent.name for path in SAMPLE_BOTS.glob("*/main.py"))


def load(name: str) -> ModuleType:
    """The `main.py` of a sample bot, imported but not served."""
    spec = importlib.util.spec_from_file_location(f"sample_bot_{name}", SAMPLE_BOTS / name / "main.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def built(bot: Path, folder: Path) -> Path:
    """A copy of a bot in `folder` that needs no build any more.

    Here compiled parts of the language's library are kept from one build to the next; in the sandbox each begins with
    nothing, which is worth one test and no more.
    """
    copy = folder / bot.name
    shutil.copytree(bot, copy)
    manifest = (copy / "bot.toml").read_text()
    if command := tomllib.loads(manifest).get("build"):
        subprocess.run(command, cwd=copy, check=True, env={**os.environ, "PATH": search_path()})
    kept = [line for line in manifest.splitlines() if not line.startswith(("build = ", "ignore = "))]
    (copy / "bot.toml").write_text("\n".join(kept))
    return copy
