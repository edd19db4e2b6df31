"""Who plays: what was submitted, what lies here, and what is named; and never one of them as another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.bots.archive import pack
from arena.bots.errors import FolderError, UnkeptError
from arena.bots.folders import discover, open_folder
from arena.bots.launcher import Launcher
from arena.bots.probe import Offer
from arena.bots.remote import Keyring, RemoteBot
from arena.cli import submitted
from arena.cli.choosing import Choice, choose, find_again
from arena.cli.errors import CommandFailed, Misuse
from arena.cli.submitted import StoredBot, check_kept, source
from arena.match.limits import ProcessLimits
from arena.settings import DATABASE_VARIABLE, sample_bots
from arena.store.engine import Store
from arena.store.opening import open_store
from arena.store.repository import EntryState
from arena.store.submissions import Submission, Submissions
from arena.tournament.entries import Entry
from tests.bots.making import make_bot

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

Submit = Callable[..., Submission]
Pick = Callable[..., Choice]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The database of a folder to work in, which has `my_bots/fox`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(DATABASE_VARIABLE, "sqlite:///arena.db")
    make_bot(Path("my_bots/fox"), ["./work"])
    with open_store("sqlite:///arena.db", write=True) as store:
        yield store


@pytest.fixture
def submit(store: Store, tmp_path: Path) -> Submit:
    """Submits a bot that is only a command, without starting it."""

    def take(name: str, command: str = "./work", owner: str = "ann", address: str = "") -> Submission:
        folder = make_bot(tmp_path / "elsewhere" / name, [command])
        bot, submissions = open_folder(folder), Submissions(store)
        at = NOW + timedelta(minutes=len(submissions.all()))
        return submissions.add(
            Submission(bot.name, bot.version, bot.digest, owner, address, at), {}, pack(folder, bot.manifest)
        )

    return take


def pick(*named: str, seats: int = 2, per_owner: int = 3) -> Choice:
    return choose(named, seats, Keyring(), lambda _: {}, per_owner)


def own(choice: Choice) -> dict[str, str]:
    """The chosen bots with their owners, without the samples."""
    samples = {bot.digest for bot in discover([sample_bots()])}
    return {bot.label: bot.owner for bot in choice.bots if bot.digest not in samples}


@pytest.mark.parametrize("named", [(), ("all",)])
def test_without_names_the_newest_of_what_was_submitted_plays_with_what_lies_here(
    submit: Submit, named: tuple[str, ...]
) -> None:
    for name, command, owner in (("hen", "./one", "ann"), ("hen", "./two", "ann"), ("cat", "./one", "bob")):
        submit(name, command, owner)
    assert own(pick(*named)) == {"hen 1+2": "ann", "cat 1": "bob", "fox 1": ""}


def test_a_folder_that_was_submitted_as_it_is_plays_once_and_for_its_owner(submit: Submit) -> None:
    submit("fox")
    assert own(pick()) == own(pick("fox")) == {"fox 1": "ann"}


def test_a_folder_that_has_changed_since_plays_beside_what_was_submitted_under_a_version_of_its_own(
    submit: Submit,
) -> None:
    submit("fox", "./before")
    choice = pick()
    assert own(choice) == {"fox 1": "ann", "fox 1+2": ""}
    assert choice.notes == ("my_bots/fox plays as fox 1+2: other files were submitted as fox 1.",)
    assert own(pick("my_bots/fox")) == {"fox 1+2": ""}


def test_a_sample_that_somebody_submitted_belongs_to_nobody(store: Store) -> None:
    greedy = open_folder(sample_bots() / "greedy")
    wanted = Submission(greedy.name, greedy.version, greedy.digest, "ann", "", NOW)
    Submissions(store).add(wanted, {}, pack(greedy.path, greedy.manifest))
    assert {bot.owner for bot in pick().bots} == {bot.owner for bot in pick("greedy").bots} == {""}


def test_of_an_owner_with_too_many_bots_the_latest_play_and_the_others_are_named(submit: Submit) -> None:
    for name in ("a", "b", "c", "d"):
        submit(name)
    submit("z", owner="bob")
    choice = pick()
    assert own(choice) == {"b 1": "ann", "c 1": "ann", "d 1": "ann", "z 1": "bob", "fox 1": ""}
    assert choice.left_out == ("Left out: a 1 of ann, since 3 bots of an owner play; --bots-per-owner says how many.")
    assert "a 1" in own(pick(per_owner=4))
    with pytest.raises(Misuse, match=r"ann has 4 bots here \(a 1, b 1, c 1, d 1\), and 3 may play for one owner"):
        pick("a", "b", "c", "d")


def test_a_retired_bot_is_not_chosen_and_the_version_before_it_is(store: Store, submit: Submit) -> None:
    submit("hen", "./one")
    new = submit("hen", "./two")
    Submissions(store).retire([new], NOW)
    assert own(pick()) == {"hen 1": "ann", "fox 1": ""}
    with pytest.raises(Misuse, match=r"hen 1\+2 is retired: `arena bots restore hen@1\+2`"):
        pick("hen@1+2")


def test_a_command_that_is_named_can_be_pasted_whatever_a_bot_is_called(store: Store, submit: Submit) -> None:
    Submissions(store).retire([submit("a `b` $c")], NOW)
    with pytest.raises(Misuse, match=r"`arena bots restore 'a `b` \$c'` lets it play again"):
        pick("a `b` $c")


def test_a_folder_of_a_retired_bot_does_not_play_in_its_place_unless_it_is_named(store: Store, submit: Submit) -> None:
    Submissions(store).retire([submit("fox")], NOW)
    choice = pick()
    assert own(choice) == {}
    assert choice.left_out == "Left out, since retired: fox 1; `arena bots restore NAME` lets a bot play again."
    assert own(pick("my_bots/fox")) == {"fox 1": ""}


def test_a_folder_of_a_bot_that_is_too_many_for_its_owner_does_not_play_in_its_place(submit: Submit) -> None:
    for name in ("fox", "hen"):
        submit(name)
    assert own(pick(per_owner=1)) == {"hen 1": "ann"}


def test_a_folder_of_an_older_version_does_not_play_beside_the_newest(submit: Submit) -> None:
    for command in ("./work", "./better"):
        submit("fox", command)
    assert own(pick()) == {"fox 1+2": "ann"}


def test_a_bot_is_named_by_its_name_its_version_or_its_digest(submit: Submit) -> None:
    old, new = submit("hen", "./one"), submit("hen", "./two")
    for word, label in (("hen", new.label), ("hen@1", old.label), (old.digest.hex()[:10], old.label)):
        assert own(pick(word)) == {label: "ann"}


def test_two_versions_of_a_bot_meet_when_both_are_named(submit: Submit) -> None:
    submit("hen", "./one"), submit("hen", "./two")
    assert own(pick("hen@1", "hen")) == {"hen 1": "ann", "hen 1+2": "ann"}


def test_a_name_of_a_folder_and_of_another_bot_that_was_submitted_must_be_made_clear(submit: Submit) -> None:
    submit("fox", "./before")
    with pytest.raises(Misuse, match=r"'fox' could be my_bots/fox or fox 1, which was submitted: name .* or fox@1"):
        pick("fox")


def test_a_near_miss_of_what_was_submitted_is_named(submit: Submit) -> None:
    submit("hedgehog")
    with pytest.raises(FolderError, match="there is no bot 'hedgehg'; did you mean 'hedgehog'"):
        pick("hedgehg")


def test_a_bot_at_an_address_plays_as_it_was_submitted_without_being_asked_again(submit: Submit) -> None:
    submit("hen", address="grpc://127.0.0.1:1")
    (bot,) = (bot for bot in pick("hen").bots if isinstance(bot, RemoteBot))
    assert (bot.label, bot.owner, bot.place) == ("hen 1", "ann", "grpc://127.0.0.1:1")


def test_what_was_submitted_is_found_again_by_its_digest_also_when_it_is_retired(store: Store, submit: Submit) -> None:
    hen = submit("hen")
    Submissions(store).retire([hen], NOW)
    state = EntryState(Entry("hen", "1", hen.digest), "submitted", None, 0)
    (found,) = find_again([state], (), Keyring())
    assert isinstance(found, StoredBot) and found.label == "hen 1"


def test_what_was_submitted_is_unpacked_for_play_and_never_without_the_sandbox(
    submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = StoredBot(submit("hen"))
    with Launcher(ProcessLimits(), "watchdog") as launcher:
        folder = source(bot, launcher)
        assert isinstance(folder, Path) and open_folder(folder).digest == bot.digest
    with Launcher(ProcessLimits(), "none") as launcher, pytest.raises(UnkeptError, match="hen 1 was submitted by ann"):
        source(bot, launcher)
    monkeypatch.setattr(submitted, "offered", lambda: Offer("none", "bubblewrap is not installed"))
    with pytest.raises(CommandFailed, match=r"hen 1 was submitted.*sandbox only \(bubblewrap is not installed\)"):
        check_kept([bot], "none")
    check_kept([bot], "watchdog")
    check_kept([open_folder(Path("my_bots/fox"))], "none")
