"""Whatever a stranger sends is refused with a sentence, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.probe import Offer
from arena.fleet import examiner
from arena.fleet.examination import Said
from arena.fleet.examiner import examined
from tests.arena_bots.archives import BOT, tar
from tests.arena_bots.test_archive import ARCHIVES, PATHS
from tests.end_to_end.test_wrong_input import MANIFESTS

SENT = {
    **{why: (make(), said) for why, (make, said) in ARCHIVES.items()},
    **{why: (tar(BOT | {path: b""}), said) for why, (path, said) in PATHS.items() if path not in BOT},
    **{
        f"the manifest {why}": (tar({"bot.toml": text if isinstance(text, bytes) else text.encode()}), said)
        for why, (text, said) in MANIFESTS.items()
    },
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go; and the promise of a sandbox, which these bots never get to see."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    monkeypatch.setattr(examiner, "offered", lambda: Offer("watchdog", ""))
    return place


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.slow
def test_whatever_is_sent_is_refused_and_writes_nothing(tmp_path: Path, place: Path) -> None:
    archive = tmp_path / "sent"
    for why, (data, said) in SENT.items():
        archive.write_bytes(data)
        (frame,) = examined(archive, "ann")
        assert frame.head["said"] == Said.REFUSED, why
        assert said in frame.head["reason"], why
        assert str(tmp_path) not in frame.head["reason"], why
        assert frame.head["reason"].startswith("the archive"), why
        assert sorted(tmp_path.iterdir()) == [archive, place], why
        assert list(place.iterdir()) == [], why


def test_without_a_sandbox_nothing_is_even_unpacked(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examiner, "offered", lambda: Offer("none", "bubblewrap is not installed"))
    (frame,) = examined(tmp_path / "is never opened", "ann")
    assert frame.head["reason"] == "there is no sandbox here: bubblewrap is not installed"
