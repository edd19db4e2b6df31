"""Where, when and with what something was measured."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from arena.bots.probe import offered
from arena.fleet.setups import usable_cores
from arena.game import rules

LIBRARIES = ("grpcio", "numpy", "protobuf", "scipy")


def circumstances() -> dict[str, Any]:
    """The machine with its load and its sandbox, the versions, the commit ("" without one), the time.

    `compiled` is whether the modules that every turn goes through were compiled.
    """
    return {
        "machine": {
            "system": platform.platform(),
            "processor": _processor(),
            "cores": len(usable_cores()),
            "load": round(os.getloadavg()[0], 1),
            "sandbox": offered().level,
        },
        "versions": {"python": platform.python_version()} | {library: version(library) for library in LIBRARIES},
        "compiled": not str(rules.__file__).endswith(".py"),
        "commit": _commit(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _commit() -> str:
    folder = Path(__file__).parent
    if shutil.which("git") is None:
        return ""
    told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True, check=False)
    return told.stdout.strip()


def _processor() -> str:
    """The model's name where the system tells it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor())
