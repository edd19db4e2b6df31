"""What an author learns of the own bot, and nobody else: real bots that fail, and every page and table about them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bots.making import make_bot, make_scripted
from tests.cli.stored import Shell

CANARY = "zX9-canary"
RAISES = f"""
import sys
from arena.sdk import Play, serve

turns = 0

def choose(seen):
    global turns
    turns += 1
    print("turn", turns, "{CANARY}", seen.hand.hex(), file=sys.stderr)
    if turns == 3:
        raise RuntimeError("{CANARY} of the author")
    return Play(seen.hand[:1], None if seen.may_take_closed else seen.open[0])

serve(choose)
"""
QUICK = ("--quiet", "--sandbox", "off", "--workers", "1")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path / "arena.db", monkeypatch, capsys)


def test_a_traceback_is_in_the_authors_log_and_nowhere_else(shell: Shell, tmp_path: Path) -> None:
    (make_bot(tmp_path / "raises", ["python", "main.py"]) / "main.py").write_text(RAISES)
    command = "tournament run raises greedy --seats 2 --deals 2 --deal-cap 4"
    played = shell(*command.split(), *QUICK)
    assert played.code == 0, played.err
    (tournament,) = shell("tournament", "list", "--json").json
    matches = shell("matches", "--json").json
    pages = ["rankings", "matches", "bots list", "bots show raises", "tournament show --json", "bots logs greedy"]
    pages += [f"replay {match['id']}" for match in matches]
    shown = [shell(*page.split()) for page in [*pages, f"export {tournament['id']} --out -"]]
    assert all(said.code == 0 for said in shown)
    assert not [said for said in [played, *shown] if CANARY in said.out + said.err or "Traceback" in said.out]
    faults = [event for event in shell("bots", "logs", "raises", "--json").json if event["event"] == "fault"]
    assert len(faults) == 2, "one for each of the two processes"
    for fault in faults:
        printed = "\n".join(fault["output"])
        assert f"RuntimeError: {CANARY} of the author" in printed and "Traceback (most recent call last)" in printed
        assert f"turn 3 {CANARY}" in printed
        assert fault["match"] in {match["id"] for match in matches}
        exported = json.loads(shell("export", fault["match"], "--out", "-").out)
        turn = [turn for deal in exported["deals"] for turn in deal["turns"]][fault["turn"]]
        assert turn["fault"]["kind"] == fault["fault"]
    assert "Traceback" in shell("bots", "logs", "raises").out


@pytest.mark.slow
def test_ten_timeouts_in_ten_matches_are_ten_and_100_percent_everywhere(shell: Shell, tmp_path: Path) -> None:
    make_scripted(tmp_path / "sleepy", "hang")
    command = "tournament run sleepy greedy --seats 2 --deals 5 --deal-cap 2"
    limits = "--turn-limit-ms 400 --bank-ms 0 --strikes 1"
    assert shell(*command.split(), *limits.split(), *QUICK).code == 0
    (ranked,) = (row for row in shell("rankings", "--json").json if row["bot"] == "sleepy")
    (listed,) = (bot for bot in shell("bots", "list", "--json").json if bot["name"] == "sleepy")
    (shown,) = shell("bots", "show", "sleepy", "--json").json
    for numbers in (ranked, listed, shown, shown["fared"][0]):
        counted = [numbers[field] for field in ("matches", "faults", "fault_matches", "fault_share")]
        assert counted == [10, 10, 10, 1.0]
    assert shown["recent_forfeits"] == 10
    assert " 10 (100 %)" in shell("rankings").out
    for page in ("bots list", "bots show sleepy"):
        assert "10 in 10 (100 %)" in shell(*page.split()).out
    sat = [seat for match in shell("matches", "--json").json for seat in match["seats"] if seat["bot"] == "sleepy"]
    assert [(seat["faults"], seat["forfeited"]) for seat in sat] == [(1, True)] * 10
    events = shell("bots", "logs", "sleepy", "--json").json
    assert [event["fault"] for event in events if event["event"] == "fault"] == ["TIMEOUT"] * 10
    assert len([event for event in events if event["event"] == "started"]) >= 10


def test_a_bot_that_starts_again_is_restored_and_plays_what_it_missed(shell: Shell, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    command = ["sh", "-c", f'echo "no flag {CANARY}" >&2; test -e "$0" && exec python scripted.py', str(flag)]
    make_bot(make_scripted(tmp_path / "late"), command)
    run = "tournament run late greedy random --seats 2 --deals 1"
    played = shell(*run.split(), *QUICK)
    assert played.code == 0
    assert f"late 1 could not be started: exited with status 1 before it listened: no flag {CANARY}" in played.err
    assert "Not played: 2 blocks of withdrawn bots" in played.err
    public = [shell(*page.split()).out for page in ("rankings", "tournament show", "bots show late", "bots list")]
    assert "exited with status 1 before it listened" in public[0]
    assert CANARY not in "".join(public)
    assert CANARY in shell("bots", "logs", "late").out
    flag.touch()
    assert shell("bots", "restore", "late").code == 0
    assert shell("tournament", "resume", "--quiet").code == 0
    shown = shell("tournament", "show", "--json").json
    assert shown["blocks"]["done"] == 3 and shown["finished"] is not None and shown["secret"] is not None
    kinds = [event["event"] for event in shell("bots", "logs", "late", "--json").json]
    assert [kind for kind in kinds if kind in ("withdrawn", "restored")] == ["withdrawn", "restored"]
    assert shell("verify", shown["id"]).code == 0
