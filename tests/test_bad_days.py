"""The table of bad days names every kind of them, and only tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS / "README.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", PAGE)))


def test_every_kind_of_bad_day_has_a_row_with_a_test() -> None:
    rows = re.findall(r"^\| (\d+) \|.*$", PAGE, re.MULTILINE)
    assert [int(number) for number in rows] == list(range(1, 30))
    for line in PAGE.splitlines():
        if re.match(r"\| (?!-|what|hole \|)\w", line):
            assert re.search(r"`[\w/]+\.py::\w+`", line), line


def test_every_test_that_is_named_exists() -> None:
    missing = []
    for file, name in NAMED:
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8")) if (TESTS / file).exists() else ast.Module([], [])
        if name not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
            missing.append(f"{file}::{name}")
    assert missing == []


def test_no_test_is_named_in_another_way() -> None:
    assert len(re.findall(r"\btest_\w+\b(?!\.py)", PAGE)) == len(re.findall(r"`[\w/]+\.py::\w+`", PAGE))
