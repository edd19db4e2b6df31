from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from arena.bench.running import MeasuringFailed, Program

CLEANING = """
import pathlib, sys, time
sys.stdin.readline()
try:
    pathlib.Path(sys.argv[1]).touch()
    time.sleep(60)
finally:
    pathlib.Path(sys.argv[1]).unlink()
"""


def test_a_program_that_fails_says_why() -> None:
    program = Program("pings", [sys.executable, "-c", "raise SystemExit('no socket')"], {})
    with pytest.raises(MeasuringFailed, match="measuring pings failed: no socket"):
        program.figures()
    program.close()


def test_a_program_that_is_stopped_at_work_cleans_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    program = Program("pings", [sys.executable, "-c", CLEANING, str(mark)], {})

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(KeyboardInterrupt):
        program.figures()
    signal.signal(signal.SIGALRM, before)
    program.close()
    assert not mark.exists()


def test_the_environment_of_a_program_can_be_added_to() -> None:
    script = "import os, sys; sys.stdin.readline(); print('{\"it\": %s}' % os.environ['FIGURE'])"
    program = Program("it", [sys.executable, "-c", script], {"FIGURE": "7"})
    assert program.figures() == {"it": 7}
    program.close()
