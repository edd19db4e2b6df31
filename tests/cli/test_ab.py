"""What an A/B test says, and what can be checked of it afterwards."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.ab_report import document, show_test
from arena.cli.leader import Leader
from arena.cli.live import Live
from arena.game.variant import Variant
from arena.rating.counts import PairTable
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.planning import next_round
from arena.tournament.ports import Tournament
from tests.cli.stored import Shell, store_tournament
from tests.tournament.playing import bots, tournament

QUICK = Variant(threshold=0, deal_cap=1)
PAIR = bots(2)
OPTIONS = {"a": PAIR[0].digest.hex(), "nelo0": -400.0, "nelo1": 400.0}


def ab_test(seats: int = 2, **options: object) -> Tournament:
    return replace(tournament(PAIR, seats, QUICK), id="test12345678", format="ab", options=options or OPTIONS)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_test_that_was_decided_is_reported_verified_and_exported(
    seats: int, empty_shell: Shell, tmp_path: Path
) -> None:
    store_tournament(empty_shell.path, ab_test(seats))
    said = empty_shell("tournament", "resume")
    table = "tables of 4, each bot twice, finished" if seats == 4 else "tables of 2, finished"
    text = " ".join(said.out.split())
    assert f"A = {PAIR[0].name} 1.0, B = {PAIR[1].name} 1.0, {table}" in text
    assert "Accepted: H" in text
    assert "bounds -2.94 and +2.94" in text
    assert "Estimate: " in text
    assert "its estimate is biased" in text
    assert "Everything holds" in empty_shell("verify", "test12345678").out
    assert empty_shell("export", "test12345678", "--out", str(tmp_path / "x.jsonl")).code == 0
    assert empty_shell("verify", str(tmp_path / "x.jsonl"), "--json").json["ok"]


def test_as_json_a_test_has_its_hypotheses_evidence_and_estimate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store_tournament(tmp_path / "arena.db", ab_test(4))
    with open_store(f"sqlite:///{tmp_path / 'arena.db'}", write=False) as store:
        show_test(Repository(store), Repository(store).latest(), json=True)
    report = json.loads(capsys.readouterr().out)
    assert [report["a"]["bot"], report["b"]["bot"]] == [entry.name for entry in PAIR]
    assert [report[name] for name in ("scale", "h0", "h1", "alpha", "beta")] == ["nElo", -400, 400, 0.05, 0.05]
    assert (report["llr"] >= report["upper"]) == (report["verdict"] == "h1")
    assert report["lower"] < 0 < report["upper"]
    assert 16 <= report["decided_at"] <= report["blocks"] == report["matches"] / 2
    assert report["band"][0] < report["share"] < report["band"][1]
    assert report["elo_low"] < report["elo"] < report["elo_high"]
    assert report["decided_by"] in ("llr", "band")
    assert report["biased"]


@pytest.mark.parametrize(
    ("options", "blocks", "by"), [({"blocks": 3}, 3, "budget"), ({"fixed": 3}, 3, "fixed"), ({"blocks": 9}, 3, None)]
)
def test_a_test_without_a_verdict_says_what_ended_it(
    options: dict[str, int], blocks: int, by: str | None, tmp_path: Path
) -> None:
    store_tournament(tmp_path / "arena.db", ab_test(a=OPTIONS["a"], **options), blocks=blocks)
    with open_store(f"sqlite:///{tmp_path / 'arena.db'}", write=False) as store:
        repository = Repository(store)
        report = document(repository.latest(), repository.rounds("test12345678"))
    assert report["decided_by"] == by


def test_a_test_that_the_budget_ended_gives_no_decision_to_trust(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, ab_test(a=OPTIONS["a"], blocks=3))
    text = " ".join(empty_shell("tournament", "resume").out.split())
    assert "the budget of 3 blocks ended the test" in text
    assert "Trust the decision" not in text


def test_the_share_of_one_block_is_hardly_known(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, ab_test(a=OPTIONS["a"], fixed=1))
    text = " ".join(empty_shell("tournament", "resume").out.split())
    low, high = map(float, re.findall(r"in any case in (\d+\.\d) % to (\d+\.\d) %", text)[0])
    assert high - low > 90


def test_a_fixed_number_of_blocks_is_measured_without_a_verdict_or_a_bias(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, ab_test(a=OPTIONS["a"], fixed=20))
    text = " ".join(empty_shell("tournament", "resume").out.split())
    assert "Played: 40 matches in 20 blocks." in text
    assert "Estimate: " in text
    assert not any(word in text for word in ("Accepted", "Undecided", "biased", "LLR"))


def test_a_test_in_progress_is_undecided(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, ab_test(), blocks=3)
    assert "undecided between" in " ".join(empty_shell("tournament", "show").out.split())


def test_the_live_words_are_the_ratio_and_its_bounds(tmp_path: Path) -> None:
    cup = ab_test()
    with open_store(f"sqlite:///{tmp_path / 'arena.db'}", write=True) as store:
        Repository(store).create_tournament(cup, next_round(cup))
        live = Live(cup, SqlLedger(store), Leader(cup, PairTable.of([], [])))
        assert live.words() == "LLR +0.00 [-2.94 +2.94]"
        assert live.line() == "Round 0 was played."
