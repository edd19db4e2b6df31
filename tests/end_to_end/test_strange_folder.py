"""The arena is run where a bot lies, whose files must not be taken for the arena's or the library's own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.making import make_bot

GREEDY = Path(__file__).parents[2] / "sample_bots" / "greedy" / "main.py"


@pytest.mark.slow
def test_no_code_of_a_bot_runs_outside_its_process_when_the_arena_is_run_in_its_folder(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "fox", ["python", "-P", "main.py"])
    (bot / "main.py").write_text(GREEDY.read_text())
    (bot / "arena").mkdir()
    for name in ("queue.py", "numpy.py", "arena/__init__.py"):
        (bot / name).write_text(f"open({str(tmp_path / 'escaped')!r}, 'w')")
    words = ["tournament", "run", ".", "greedy", "--seats", "2", "--deals", "1", "--deal-cap", "1", "--quiet"]
    done = subprocess.run(
        [Path(sys.executable).with_name("arena"), *words],
        cwd=bot,
        env={"ARENA_DATABASE_URL": f"sqlite:///{tmp_path}/arena.db"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "escaped").exists()
