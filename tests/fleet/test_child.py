"""A child ends with its parent, whichever way that ends, and says at its own end how it came."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.fleet.child import Child
from arena.fleet.frames import Frame
from tests.end_to_end.arena import family, survivors

CHILD = """
from threading import Event
from arena.fleet import child
from arena.fleet.frames import write_frame
child.END_S = 0.1
parent = child.Parent()
parent.follow(heard=lambda head: write_frame(parent.reports, head), close={close})
{does}
"""

STARTER = """
from arena.fleet.child import FrameChild
child = FrameChild("it", "child", {})
child.send({"number": 7})
print(child.read(), flush=True)
input()
"""

WAYS = {
    "that waits": ("Event().wait()", "lambda: None"),
    "that is busy": ("while True: pass", "lambda: None"),
    "that hangs as it closes": ("Event().wait()", "Event().wait"),
    "that fails as it closes": ("Event().wait()", "lambda: 1 / 0"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_killed_parent_leaves_no_child(tmp_path: Path, way: str) -> None:
    does, close = WAYS[way]
    (tmp_path / "child.py").write_text(CHILD.format(does=does, close=close))
    command, environment = [sys.executable, "-c", STARTER], {**os.environ, "PYTHONPATH": str(tmp_path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().strip() == str(Frame({"number": 7}, b""))
        both = family(parent)
        assert len(both) == 2
        parent.kill()
    assert survivors(both, 5) == []


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("raise SystemExit(3)", "the child ended with status 3"),
        ("raise SystemExit('first\\nthe disk is full')", "the disk is full"),
    ],
)
def test_a_child_that_ended_tells_why(program: str, words: str) -> None:
    child = Child("the child", [sys.executable, "-c", program], {})
    assert child.last_words() == words
    child.end()
