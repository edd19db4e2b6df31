"""What was submitted is there whole or not at all, and a name belongs to one owner."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from arena.settings import url_of
from arena.store.engine import Store
from arena.store.errors import StoreError, SubmissionError
from arena.store.opening import open_store
from arena.store.submissions import Submission, Submissions, free_version, meant_by, newest
from tests.store.recomputed import rows

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SAMPLES = {"greedy": sha256(b"greedy").digest()}


def fox(
    files: str = "one", owner: str = "ann", name: str = "fox", version: str = "1.0", address: str = ""
) -> Submission:
    """A bot whose files are so."""
    return Submission(name, version, sha256(files.encode()).digest(), owner, address, NOW)


def remote(version: str = "1.0", name: str = "fox", owner: str = "ann") -> Submission:
    return fox("address", owner, name=name, version=version, address="grpc://here:1")


@pytest.fixture
def submissions(store: Store) -> Submissions:
    return Submissions(store)


def test_a_bot_is_kept_with_its_archive_under_the_version_that_it_says(submissions: Submissions) -> None:
    kept = submissions.add(fox(), SAMPLES, b"archive")
    assert kept == fox()
    assert [one.label for one in submissions.all()] == ["fox 1.0"]
    assert submissions.package(kept.digest) == b"archive"


def test_an_owner_has_all_versions_of_the_own_bots_and_no_others(submissions: Submissions) -> None:
    for one in (fox(), fox("two"), fox("three", "bob", name="hen")):
        submissions.add(one, SAMPLES, b"")
    assert [one.label for one in submissions.of("ann")] == ["fox 1.0", "fox 1.0+2"]
    assert submissions.of("nobody") == ()


def test_the_same_files_again_change_nothing(submissions: Submissions) -> None:
    submissions.add(fox(), SAMPLES, b"archive")
    again = submissions.add(fox()._replace(submitted=NOW + timedelta(1)), SAMPLES, b"archive")
    assert len(submissions.all()) == 1
    assert again.version == "1.0"


def test_other_files_under_one_version_are_a_new_version_with_a_number(submissions: Submissions) -> None:
    versions = [submissions.add(fox(files), SAMPLES, b"").version for files in ("one", "two", "three", "two")]
    assert versions == ["1.0", "1.0+2", "1.0+3", "1.0+2"]


def test_a_number_that_somebody_took_already_is_left_out() -> None:
    assert free_version("1.0", ["1.0", "1.0+2"]) == "1.0+3"


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (fox("two", "bob"), "the name 'fox' belongs to ann, who submitted it first"),
        (fox("one", "bob"), "the name 'fox' belongs to ann, who submitted it first"),
        (fox("two", name="Fox"), "the name 'Fox' looks like 'fox', which is another bot"),
        (fox("two", "bob", name="f\N{CYRILLIC SMALL LETTER O}x"), "looks like 'fox', which is another bot"),
        (fox("two", name="greedy"), "the name 'greedy' belongs to a sample bot"),
        (fox("two", name="greed\N{CYRILLIC SMALL LETTER U}"), "looks like 'greedy'"),
        (fox("two", "bob", name=fox().digest.hex()[:10]), "is the beginning of another bot's digest"),
        (fox("two", "bob", name=SAMPLES["greedy"].hex()[:6]), "is the beginning of another bot's digest"),
        (fox("two", "Ann", name="hen"), "the owner 'Ann' looks like 'ann', who is another one"),
    ],
)  # fmt: skip
def test_nobody_gets_the_name_of_another_or_one_that_looks_like_it(
    submissions: Submissions, wanted: Submission, said: str
) -> None:
    submissions.add(fox(), SAMPLES, b"")
    with pytest.raises(SubmissionError, match=said):
        submissions.add(wanted, SAMPLES, b"")
    assert [one.label for one in submissions.all()] == ["fox 1.0"]


def test_a_sample_bot_itself_keeps_its_name(submissions: Submissions) -> None:
    assert submissions.add(fox("greedy", name="greedy"), SAMPLES, b"").version == "1.0"


def test_a_retired_bot_keeps_its_name(submissions: Submissions) -> None:
    submissions.retire([submissions.add(fox(), SAMPLES, b"")], NOW)
    with pytest.raises(SubmissionError, match="belongs to ann"):
        submissions.add(fox("two", "bob"), SAMPLES, b"")


def test_a_bot_at_an_address_is_known_by_the_version_that_it_says(submissions: Submissions) -> None:
    kept = [submissions.add(remote(version), SAMPLES) for version in ("1.0", "1.0", "1.1")]
    assert [one.version for one in kept] == ["1.0", "1.0", "1.1"]
    assert len(submissions.all()) == 2


def test_an_address_has_one_name_at_a_time(submissions: Submissions) -> None:
    first = submissions.add(remote(), SAMPLES)
    with pytest.raises(SubmissionError, match=r"grpc://here:1 was submitted as 'fox': `arena bots retire`"):
        submissions.add(remote(name="hen"), SAMPLES)
    submissions.retire([first], NOW)
    assert submissions.add(remote(name="hen"), SAMPLES).name == "hen"


def test_the_newest_of_each_name_that_is_not_retired_plays(submissions: Submissions) -> None:
    old, new = (submissions.add(fox(files), SAMPLES, b"") for files in ("one", "two"))
    hen = submissions.add(fox("three", name="hen"), SAMPLES, b"")
    assert {one.label for one in newest(submissions.all())} == {new.label, hen.label}
    submissions.retire([new], NOW)
    assert {one.label for one in newest(submissions.all())} == {old.label, hen.label}
    submissions.retire([new], None)
    submissions.retire([hen], NOW)
    assert {one.label for one in newest(submissions.all())} == {new.label}


def test_a_word_means_a_name_a_version_or_a_digest() -> None:
    one, two, hen = fox(), fox("two", version="2"), fox("three", name="hen")
    there = (one, two, hen)
    assert meant_by("fox", there) == (one, two)
    assert meant_by("fox@1.0", there) == (one,)
    assert meant_by(hen.digest.hex()[:6], there) == (hen,)
    assert meant_by(hen.digest.hex()[:5], there) == meant_by("nobody", there) == ()


def test_the_beginning_of_two_digests_is_refused() -> None:
    twins = [fox()._replace(digest=bytes([0xAA] * 4 + [number] * 28)) for number in (1, 2)]
    with pytest.raises(StoreError, match="beginning of several digests"):
        meant_by("aaaaaa", twins)


def test_a_full_disk_stores_nothing_of_a_bot(store: Store, submissions: Submissions, path: Path) -> None:
    with store.writing() as connection:
        size = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {size + 20}")
    with pytest.raises(StoreError, match=r"disk is full.*free some space"):
        submissions.add(fox(), SAMPLES, bytes(1 << 20))
    assert rows(path, "SELECT count(*) FROM submission UNION ALL SELECT count(*) FROM package") == [(0,), (0,)]
    with store.writing() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    assert submissions.add(fox(), SAMPLES, bytes(1 << 20)).version == "1.0"


def test_of_many_who_want_a_name_at_once_one_gets_it(path: Path, store: Store) -> None:
    start, refused = threading.Barrier(4), []

    def claim(owner: str) -> None:
        with open_store(url_of(path), write=True) as own:
            start.wait()
            try:
                Submissions(own).add(fox(owner, owner), SAMPLES, b"")
            except SubmissionError:
                refused.append(owner)

    threads = [threading.Thread(target=claim, args=(owner,)) for owner in ("ann", "bob", "eve", "joe")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (only,) = Submissions(store).all()
    assert {only.owner, *refused} == {"ann", "bob", "eve", "joe"}
