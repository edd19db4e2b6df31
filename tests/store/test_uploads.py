"""What was sent is shown to its owner alone, and what became of it is kept for a while."""

from __future__ import annotations

from datetime import UTC, datetime

from arena.store.engine import Store
from arena.store.roles import UploadState
from arena.store.uploads import MOST_KEPT, Upload, Uploads

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WAITING = Upload("one", "ann", NOW)


def test_what_became_of_it_is_found_by_its_owner_alone(store: Store) -> None:
    uploads = Uploads(store)
    uploads.add(WAITING)
    assert uploads.find("one", "ann") == WAITING
    finding = {"error": True, "what": "it cheats", "expected": "", "said": ["<script>"]}
    steps = ({"step": "turns", "summary": "", "figures": {}, "findings": [finding]},)
    refused = WAITING._replace(
        state=UploadState.REFUSED, name="fox", version="1", digest=bytes(32), reason="so", steps=steps
    )
    uploads.change(refused)
    assert uploads.find("one", "ann") == refused
    assert (refused.label, refused.errors, refused.is_open, WAITING.is_open) == ("fox 1", 1, False, True)
    assert (uploads.find("one", "bob"), uploads.find("two", "ann")) == (None, None)
    assert (uploads.of("ann"), uploads.of("bob")) == ((refused,), ())


def test_only_the_latest_of_an_owner_are_kept(store: Store) -> None:
    uploads = Uploads(store)
    uploads.add(WAITING._replace(id="of another", owner="bob"))
    for number in range(MOST_KEPT + 2):
        uploads.add(WAITING._replace(id=str(number)))
    kept = [one.id for one in uploads.of("ann")]
    assert (len(kept), kept[0], kept[-1]) == (MOST_KEPT, str(MOST_KEPT + 1), "2")
    assert len(uploads.of("bob")) == 1
