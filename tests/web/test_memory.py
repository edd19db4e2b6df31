"""What a server's garbage collector looks at."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SERVER = """
import gc, sys
from arena.web.app import create_app
from arena.web.memory import spare_what_stays
from arena.web.site import Settings

app = create_app(Settings(sys.argv[1]))
before = len(gc.get_objects())
spare_what_stays()
print(before, len(gc.get_objects()))
"""


def test_what_stays_as_long_as_the_server_is_not_looked_through_again_and_again(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-c", SERVER, f"sqlite:///{tmp_path}/arena.db"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    before, after = map(int, printed.split())
    assert after < before / 100
