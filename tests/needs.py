"""What a test needs of the machine: it is skipped, and says of what, where that is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from arena.bots.languages import LANGUAGES, Languages
from arena.bots.probe import offered
from arena.bots.sandbox import search_path


def _sandbox() -> str:
    offer = offered()
    return offer.reason if offer.level == "none" else ""


def _control_groups() -> str:
    offer = offered()
    return offer.reason if offer.level != "full" else ""


def _root() -> str:
    return "" if os.geteuid() == 0 else "it must be run as root"


def _system_python() -> str:
    """Another user cannot read an interpreter below root's home."""
    said = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; print(sys.version_info >= (3, 11))"],
        capture_output=True, text=True, check=False,
    ).stdout if os.path.exists("/usr/bin/python3") else ""  # fmt: skip  # noqa: PTH110
    return "" if said == "True\n" else "there is no /usr/bin/python3 of version 3.11 or later"


def _twin_python() -> str:
    """Compiled packages of ours can only be used with an interpreter of the same version."""
    said = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys, venv; print(sys.version_info[:2])"],
        capture_output=True, text=True, check=False,
    ).stdout if os.path.exists("/usr/bin/python3") else ""  # fmt: skip  # noqa: PTH110
    return "" if said == f"{sys.version_info[:2]}\n" else f"there is no /usr/bin/python3 of version {sys.version[:4]}"


def _language(language: Languages) -> str:
    made = LANGUAGES[language]
    return f"{lacking}, and {made.needed} is needed" if (lacking := made.lacks(search_path())) else ""


def _program(name: str) -> Callable[[], str]:
    return lambda: "" if shutil.which(name, path=search_path()) else f"the program {name} is missing"


FEATURES: dict[str, Callable[[], str]] = {
    "sandbox": _sandbox,
    "control groups": _control_groups,
    "root": _root,
    "system python": _system_python,
    "twin python": _twin_python,
    "node": lambda: _language(Languages.JAVASCRIPT),
    "chromium": _program("chromium"),
    "go": lambda: _language(Languages.GO),
}
"""Why a feature is missing here, "" when it is not."""


def needs(*features: str) -> pytest.MarkDecorator:
    """Skip what is marked where one of `features` is missing, saying which and why."""
    missing = [f"needs {name}: {reason}" for name in features if (reason := FEATURES[name]())]
    return pytest.mark.skipif(bool(missing), reason="; ".join(missing))
