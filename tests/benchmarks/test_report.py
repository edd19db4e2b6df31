"""The page of the measurements shows what lies in `results/`, and names every measurement."""

from __future__ import annotations

import pytest

from tests.benchmarks.registry import BENCHMARKS
from tests.benchmarks.report import BEGIN, END, PAGE, results, tables


def test_the_tables_of_the_page_are_those_of_the_results() -> None:
    shown = PAGE.read_text().partition(BEGIN)[2].partition(END)[0]
    assert shown == tables(), "run `python -m tests.benchmarks --table`"


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_measurement_is_described(name: str) -> None:
    assert f"| `{name}` |" in PAGE.read_text()


def test_nothing_is_kept_of_what_is_not_measured() -> None:
    assert set(results()) <= set(BENCHMARKS)
