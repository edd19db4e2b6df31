from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from arena.web.database import Database
from arena.web.verifying import Finding, Subject, Verification, Verifier
from tests.end_to_end.arena import survivors
from tests.web.conftest import CUP, RUNNING

REPORT = """
import json
print(json.dumps({"ok": OK, "matches": 12, "blocks": 3, "deals": 9, "turns": 99, "notes": ["a note"], "problems":
    [] if OK else [{"where": "line 1", "field": "seed", "what": "is another"}] * 30}))
"""


@contextmanager
def verifying(path: Path, command: Sequence[str]) -> Iterator[Verifier]:
    database = Database(f"sqlite:///{path}")
    verifier = Verifier(database, command)
    try:
        yield verifier
    finally:
        verifier.close()
        database.close()


def script(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def settled(verifier: Verifier, subject: Subject) -> Verification:
    until = time.monotonic() + 60
    while not (found := verifier.verify(subject)).is_settled:
        assert time.monotonic() < until
        time.sleep(0.01)
    return found


SUBJECT = Subject(CUP.id, 8, True)


def test_what_holds_is_told_with_how_much_was_checked(made_up: Path) -> None:
    with verifying(made_up, script(REPORT.replace("OK", "True"))) as verifier:
        assert verifier.known(SUBJECT) is None
        assert not verifier.verify(SUBJECT).is_settled
        found = settled(verifier, SUBJECT)
        assert found == Verification(Finding.HOLDS, 12, 3, 99, 0, [], ["a note"])
        assert verifier.known(SUBJECT) == found


def test_what_does_not_hold_is_told_with_the_first_problems(made_up: Path) -> None:
    with verifying(made_up, script(REPORT.replace("OK", "False"))) as verifier:
        found = settled(verifier, SUBJECT)
        assert (found.finding, found.problem_count, len(found.problems)) == (Finding.BROKEN, 30, 20)
        assert found.problems[0] == "line 1: seed is another"


def test_a_tournament_that_has_gone_on_is_verified_anew(made_up: Path) -> None:
    with verifying(made_up, script(REPORT.replace("OK", "True"))) as verifier:
        settled(verifier, SUBJECT)
        assert not verifier.verify(replace(SUBJECT, blocks=9)).is_settled


def test_what_held_without_the_secret_is_verified_anew_with_it(made_up: Path) -> None:
    with verifying(made_up, script(REPORT.replace("OK", "True"))) as verifier:
        settled(verifier, replace(SUBJECT, is_finished=False))
        assert verifier.known(SUBJECT) is None


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (script("import sys; sys.exit('arena: the disk is gone')"), "the disk is gone"),
        (script("print('no report')"), "it was ended"),
        (["/nowhere/arena"], "No such file"),
    ],
)
def test_a_verification_that_fails_says_why_and_claims_nothing(made_up: Path, command: list[str], reason: str) -> None:
    with verifying(made_up, command) as verifier:
        found = settled(verifier, SUBJECT)
        assert found.finding is Finding.FAILED
        assert reason in found.reason


def test_the_process_ends_with_the_pages(made_up: Path) -> None:
    with verifying(made_up, script("import time; time.sleep(1000)")) as verifier:
        while verifier.verify(SUBJECT).finding is not Finding.RUNNING:
            time.sleep(0.01)
        verifier.close()
        assert settled(verifier, SUBJECT).finding is Finding.FAILED


SERVER = """
import sys
from arena.web.database import Database
from arena.web.verifying import Finding, Subject, Verifier

verifier = Verifier(Database(sys.argv[1]))
while verifier.verify(Subject(sys.argv[2], 0, False)).finding is Finding.WAITING or verifier._process is None:
    pass
print(verifier._process.pid, flush=True)
sys.stdin.read()
"""


def test_the_process_ends_with_a_server_that_is_killed(made_up: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "endless")  # an export that never comes
    words = [sys.executable, "-c", SERVER, f"sqlite:///{made_up}", str(tmp_path / "endless")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        child = psutil.Process(int(server.stdout.readline()))
        server.kill()
    assert survivors([child], 30) == []


@pytest.mark.slow
def test_real_tournaments_hold(made_up: Path) -> None:
    with verifying(made_up, (sys.executable, "-m", "arena")) as verifier:
        for subject in (SUBJECT, Subject(RUNNING.id, 3, False)):
            assert settled(verifier, subject).finding is Finding.HOLDS
