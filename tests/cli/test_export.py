"""`arena export` and `arena verify`: whole files only, finished blocks only, and every doubt named."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli import export
from arena.cli.errors import FAILED, MISUSE
from arena.game.variant import Variant
from tests.cli.conftest import CUP, RUNNING
from tests.cli.stored import Shell, store_tournament
from tests.tournament.playing import bots, tournament


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_finished_tournament_is_exported_with_its_secret_and_verifies(shell: Shell, tmp_path: Path) -> None:
    out = tmp_path / "cup.jsonl"
    said = shell("export", "Cup", "--out", str(out))
    assert (said.code, said.out, said.err) == (0, "", "exported 24 matches\n")
    assert {line["secret"] for line in lines(out)} == {CUP.secret.hex()}
    checked = shell("verify", str(out))
    assert checked.code == 0
    assert "Checked 24 matches in 8 blocks" in checked.out
    assert "Everything holds." in checked.out


def test_of_a_running_tournament_only_finished_blocks_leave_and_never_the_secret(shell: Shell, tmp_path: Path) -> None:
    out = tmp_path / "running.jsonl"
    assert shell("export", RUNNING.id, "--out", str(out)).code == 0
    assert len(lines(out)) == 6
    assert RUNNING.secret.hex() not in out.read_text()


def test_a_dash_exports_to_standard_output_and_verify_reads_it_back(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = shell("export", "Cup", "--out", "-")
    copy = tmp_path / "copy"
    copy.write_text(said.out)
    with copy.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert shell("verify", "-").code == 0


def test_a_match_is_exported_by_its_address(shell: Shell) -> None:
    match = shell("matches", "--tournament", "Cup", "--limit", "1", "--json").json[0]
    exported = json.loads(shell("export", match["id"], "--out", "-").out)
    assert exported["match_id"] == match["id"].partition("/")[2]


def test_verifying_needs_no_database(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "cup.jsonl"
    shell("export", "Cup", "--out", str(out))
    monkeypatch.setenv("ARENA_DATABASE_URL", f"sqlite:///{tmp_path / 'gone' / 'arena.db'}")
    assert shell("verify", str(out)).code == 0


def test_an_altered_export_fails_and_the_altered_field_is_named(shell: Shell, tmp_path: Path) -> None:
    out = tmp_path / "cup.jsonl"
    shell("export", "Cup", "--out", str(out))
    changed = lines(out)
    changed[4]["points"][1] += 1  # type: ignore[index]
    out.write_text("".join(json.dumps(line) + "\n" for line in changed))
    said = shell("verify", str(out))
    assert said.code == FAILED
    assert "line 5" in said.out
    assert "problem" in said.out
    report = shell("verify", str(out), "--json")
    assert (report.code, report.json["ok"]) == (FAILED, False)
    assert {problem["where"] for problem in report.json["problems"]} == {"line 5"}
    assert any(problem["field"].startswith("points") for problem in report.json["problems"])


def test_a_tournament_is_verified_in_the_database(shell: Shell) -> None:
    report = shell("verify", "Cup", "--json")
    assert report.code == 0
    assert {key: report.json[key] for key in ("ok", "matches", "blocks", "problems")} == {
        "ok": True,
        "matches": 24,
        "blocks": 8,
        "problems": [],
    }
    assert shell("verify", "Running").code == 0


def test_a_planned_block_that_vanished_from_the_database_is_noticed(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, CUP)
    with closing(sqlite3.connect(empty_shell.path)) as database:
        last = database.execute("SELECT max(block) FROM match").fetchone()[0]
        gone = database.execute("SELECT hex(block_id) FROM block WHERE key = ?", [last]).fetchone()[0].lower()
        ids = "SELECT id FROM match WHERE block = ?"
        for statement in (f"DELETE FROM seat WHERE match IN ({ids})", f"DELETE FROM record WHERE match IN ({ids})"):
            database.execute(statement, [last])
        database.execute("DELETE FROM match WHERE block = ?", [last])
        database.execute("DELETE FROM block WHERE key = ?", [last])
        database.commit()
    said = empty_shell("verify", "Cup")
    assert said.code == FAILED
    assert gone in said.out


def test_blocks_of_a_withdrawn_bot_are_noted_and_no_problem(empty_shell: Shell) -> None:
    cup = tournament(bots(4), 3, Variant(threshold=25))
    store_tournament(empty_shell.path, cup, withdrawn={cup.entries[0].digest: "it does not start"})
    report = empty_shell("verify", cup.id, "--json")
    assert report.code == 0
    assert any("was withdrawn" in note and "it does not start" in note for note in report.json["notes"])


def test_a_block_that_was_given_up_is_a_problem_with_its_reason(empty_shell: Shell) -> None:
    cup = tournament(bots(4), 3, Variant(threshold=25))
    store_tournament(empty_shell.path, cup, given_up="no space left")
    report = empty_shell("verify", cup.id, "--json")
    assert report.code == FAILED
    assert any("is planned, but missing" in problem["what"] for problem in report.json["problems"])
    assert any("no space left" in note for note in report.json["notes"])


def test_without_a_finished_block_nothing_is_written(empty_shell: Shell, tmp_path: Path) -> None:
    cup = replace(tournament(bots(3), 3, Variant()), id="fresh")
    store_tournament(empty_shell.path, cup, blocks=0)
    said = empty_shell("export", "fresh", "--out", str(tmp_path / "out"))
    assert said.code == FAILED
    assert "arena tournament resume fresh" in said.err
    assert not (tmp_path / "out").exists()
    assert empty_shell("verify", "fresh").code == FAILED


def test_an_export_that_breaks_off_leaves_the_old_file_and_nothing_beside_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    out = folder / "cup.jsonl"
    out.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export, "_copy", full)
    said = shell("export", "Cup", "--out", str(out))
    assert said.code == FAILED
    assert "No space left" in said.err
    assert out.read_text() == "old"
    assert list(folder.iterdir()) == [out]


@pytest.mark.parametrize("out", ["", "missing/folder/out"])
def test_a_place_that_cannot_be_written_to_is_misuse(out: str, shell: Shell, tmp_path: Path) -> None:
    said = shell("export", "Cup", "--out", str(tmp_path / out))
    assert said.code == MISUSE
    assert said.err.count("\n") == 1


def test_a_device_is_written_to_and_not_replaced(shell: Shell) -> None:
    assert shell("export", "Cup", "--out", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("command", [["export", "nothing", "--out", "-"], ["verify", "nothing"], ["verify", "/"]])
def test_what_is_neither_a_file_nor_a_tournament_is_misuse(command: list[str], shell: Shell) -> None:
    said = shell(*command)
    assert (said.code, said.out) == (MISUSE, "")


def test_verifying_a_missing_file_without_a_database_names_the_file(empty_shell: Shell) -> None:
    said = empty_shell("verify", "gone.jsonl")
    assert said.code == MISUSE
    assert "gone.jsonl" in said.err
