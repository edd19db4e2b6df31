from dataclasses import replace

import pytest

from arena.cli import playing
from tests.store import made

CUP = made.tournament(bots=4, seats=3)


@pytest.fixture(autouse=True)
def cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "usable_cores", lambda: [0, 1, 2, 3])


def test_a_further_worker_plays_only_when_its_processes_pay() -> None:
    assert [playing.default_workers(CUP, blocks) for blocks in (1, 199, 200, 10_000)] == [1, 1, 2, 4]


def test_a_plan_that_grows_has_a_worker_for_each_core() -> None:
    assert playing.default_workers(replace(CUP, format="swiss", options={"rounds": 3}), 1) == 4
