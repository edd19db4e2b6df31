"""The page about training is true: what it shows is run as it stands there."""

import re
from pathlib import Path

import pytest

import arena.env
from arena.env.actions import action_numbers

TEXT = (Path(arena.env.__file__).parent / "README.md").read_text()
LOOP, POLICY, TRAINING = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def printed(code: str, capsys: pytest.CaptureFixture[str]) -> str:
    exec(compile(code, "README.md", "exec"), {})
    return capsys.readouterr().out


def test_the_loop_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(LOOP, capsys).startswith("match over after ")


def test_a_policy_plays_in_the_loop(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(POLICY, capsys) == ""


@pytest.mark.slow
def test_what_is_trained_is_better_than_greedy(capsys: pytest.CaptureFixture[str]) -> None:
    last = printed(TRAINING, capsys).splitlines()[-1]
    lead = re.fullmatch(r"on new cards: ([+-]\d+\.\d) points a deal ahead of greedy", last)
    assert lead is not None
    assert float(lead[1]) > 1


def test_the_page_counts_the_actions_right() -> None:
    numbers = action_numbers(5)
    assert f"{numbers.declare // numbers.takes} sets, {numbers.takes} takes and\n{numbers.count} actions" in TEXT
