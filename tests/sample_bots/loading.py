"""The sample bots in Python as functions, without their processes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

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
