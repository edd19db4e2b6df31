"""`arena submit`: what is taken in was seen to start; what is not leaves no trace and is told why in one line."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots import probe
from arena.bots.probe import Offer
from arena.cli.errors import FAILED, MISUSE
from arena.store.opening import open_store
from arena.store.submissions import Submissions
from arena.wire.v1 import bot_pb2 as pb
from tests.arena_bots.archives import BOT, MANIFEST, tar, zipped
from tests.arena_bots.test_archive import ARCHIVES, PATHS, twice
from tests.bots.making import make_scripted
from tests.bots.serving import ServedBot, free_port
from tests.cli.stored import Said, Shell
from tests.end_to_end.test_wrong_input import MANIFESTS, bytes_below
from tests.needs import needs

pytestmark = pytest.mark.filterwarnings("ignore:Duplicate name")

NAMES = {
    "a name of nobody": ("fo\u3164x", "invisible character"),
    "a name of marks": ("fox" + "\N{COMBINING ACUTE ACCENT}" * 9, "heaps up marks"),
    "the name of a sample": ("greedy", "the name 'greedy' belongs to a sample bot"),
    "the name of a sample in capitals": ("GREEDY", "the name 'GREEDY' looks like 'greedy'"),
    "the name of a sample in Cyrillic": ("рlаnnеr", "looks like 'planner'"),
    "the name of a sample in digits": ("rand0m", "the name 'rand0m' looks like 'random'"),
    "the name of a sample in width": ("ｒａｎｄｏｍ", "looks like 'random'"),
}  # fmt: skip


def bad_submissions() -> dict[str, tuple[bytes, str]]:
    """Archives that are refused, and with which words."""
    bad = {why: (make(), said) for why, (make, said) in ARCHIVES.items()}
    for why, (path, said) in PATHS.items():
        bad[f"{why} in a zip"] = (twice(zipped) if path == "main.py" else zipped(BOT | {path: b""}), said)
    for why, (text, said) in MANIFESTS.items():
        bad[f"the manifest {why}"] = (tar({"bot.toml": text if isinstance(text, bytes) else text.encode()}), said)
    for why, (name, said) in NAMES.items():
        bad[why] = (tar({"bot.toml": MANIFEST.replace(b"fox", name.encode())}), said)
    return bad


@pytest.fixture
def here(empty_shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder in which commands run; all that is written stays below it, also what is only for a while."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def offering(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused before it is started needs no sandbox, only the promise of one."""
    monkeypatch.setattr(probe, "offered", lambda: Offer("watchdog", ""))


def refused(shell: Shell, here: Path, *arguments: str, code: int = MISUSE) -> str:
    """Why a submission is refused: in one line, and nothing is left of it."""
    before = bytes_below(here)
    said = shell("submit", *arguments)
    assert (said.code, said.out, said.err.count("\n")) == (code, "", 1), said
    assert bytes_below(here) == before
    return said.err


FEW: dict[str, tuple[dict[str, bytes], str]] = {
    "a path that leads out": (BOT | {"../evil": b""}, "fox.tar: the path '../evil' leads out of the bot's folder"),
    "a wrong manifest": ({"bot.toml": b'name = "fox"\n'}, "fox.tar/bot.toml: 'version' is missing"),
    "a name of another": ({"bot.toml": MANIFEST.replace(b"fox", b"Greedy")}, "the name 'Greedy' looks like 'greedy'"),
}


@pytest.mark.usefixtures("offering")
@pytest.mark.parametrize("why", FEW)
def test_a_submission_that_is_malformed_is_refused_in_one_line(empty_shell: Shell, here: Path, why: str) -> None:
    files, said = FEW[why]
    (here / "fox.tar").write_bytes(tar(files))
    assert refused(empty_shell, here, "fox.tar", "--owner", "ann").startswith(f"arena: {said}")


@pytest.mark.slow
@pytest.mark.usefixtures("offering")
def test_every_malformed_submission_is_refused_and_writes_nothing(empty_shell: Shell, here: Path) -> None:
    sentences = set()
    for data, said in bad_submissions().values():
        (here / "fox.tar").write_bytes(data)
        sentence = refused(empty_shell, here, "fox.tar", "--owner", "ann")
        assert said in sentence
        sentences.add(sentence)
    assert len(sentences) > 70


@pytest.mark.usefixtures("offering")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere/fox.tar"], "nowhere/fox.tar does not exist"),
        (["nobody"], "there is no bot 'nobody'"),
        ([""], "the name of a bot is empty"),
        (["x" * 5000], "is no path"),
        (["tmp"], "there is no bot 'tmp', and the folder tmp has no bot.toml"),
        (["grpc://localhost"], "must end with a port"),
        (["my_bots/fox", "--owner", ""], "--owner: 'owner' is empty"),
        (["my_bots/fox", "--owner", "a\u202eb"], "--owner: 'owner' holds a control, direction or other invisible"),
        (["my_bots/fox", "--owner", "x" * 41], "--owner: 'owner' has 41 characters; at most 40"),
    ],
)
def test_what_cannot_be_meant_is_refused(empty_shell: Shell, here: Path, arguments: list[str], said: str) -> None:
    assert said in refused(empty_shell, here, *arguments)


def test_without_a_sandbox_nothing_is_taken_in(empty_shell: Shell, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "offered", lambda: Offer("none", "bubblewrap is not installed"))
    make_scripted(here / "fox")
    told = refused(empty_shell, here, "./fox", "--owner", "ann", code=FAILED)
    assert "a submitted bot runs in the sandbox only, and there is none here: bubblewrap is not installed" in told


@needs("sandbox")
def test_a_bot_that_does_not_start_is_not_taken_in(empty_shell: Shell, here: Path) -> None:
    make_scripted(here / "fox", "exit-at-import:3")
    told = refused(empty_shell, here, "./fox", "--owner", "ann", code=FAILED)
    assert "fox 1 cannot be started: exited with status 3 before it listened: this bot gives up" in told


def kept(shell: Shell) -> list[tuple[str, str]]:
    with open_store(f"sqlite:///{shell.path}", write=False) as store:
        return [(one.label, one.owner) for one in Submissions(store).all()]


@needs("sandbox")
def test_a_bot_is_taken_in_from_its_folder_and_its_archive_is_the_same_bot(empty_shell: Shell, here: Path) -> None:
    bot = make_scripted(here / "my_bots" / "fox")
    assert empty_shell("submit", "fox", "--owner", "ann") == Said(
        0, "Submitted fox 1 for ann: tournaments play it from now on.\n", ""
    )
    with tarfile.open(here / "fox.tgz", "w:gz") as archive:
        archive.add(bot, "fox-1")
    again = empty_shell("submit", "fox.tgz", "--owner", "ann")
    assert again.out == "fox 1 was submitted already, and nothing has changed.\n"
    assert kept(empty_shell) == [("fox 1", "ann")]
    assert list((here / "tmp").iterdir()) == []


@needs("sandbox")
@pytest.mark.slow
def test_other_files_are_a_new_version_and_the_name_is_its_owners(empty_shell: Shell, here: Path) -> None:
    for words in ([], ["max-batch:2"]):
        make_scripted(here / "fox", *words)
        said = empty_shell("submit", "./fox", "--owner", "ann")
    assert said.out.splitlines() == [
        "Submitted fox 1+2 for ann: tournaments play it from now on.",
        "It says that it is version 1, which is another one already, so this is 1+2.",
        "It plays in place of fox 1, which keeps its rating.",
    ]
    assert "the name 'fox' belongs to ann" in refused(empty_shell, here, "./fox", "--owner", "bob")
    empty_shell("bots", "retire", "fox")
    assert "It is retired: `arena bots restore fox`" in empty_shell("submit", "./fox", "--owner", "ann").out


@pytest.fixture
def served() -> Iterator[ServedBot]:
    bot = ServedBot()
    yield bot
    bot.stop()


def test_a_bot_at_an_address_is_taken_in_under_the_name_that_it_says(
    empty_shell: Shell, here: Path, served: ServedBot
) -> None:
    first, again = (json.loads(empty_shell("submit", served.address, "--owner", "ann", "--json").out) for _ in "12")
    assert [first[key] for key in ("name", "version", "owner", "retired", "new")] == ["served", "2", "ann", None, True]
    assert first["said"] == ["Submitted served 2 for ann: tournaments play it from now on."]
    assert (again["id"], again["submitted"], again["new"]) == (first["id"], first["submitted"], False)
    assert kept(empty_shell) == [("served 2", "ann")]


@pytest.mark.slow
def test_a_bot_at_an_address_that_nobody_answers_at_is_refused(empty_shell: Shell, here: Path) -> None:
    address = f"grpc://127.0.0.1:{free_port()}"
    told = refused(empty_shell, here, address, "--owner", "ann", code=FAILED)
    assert told.startswith(f"arena: {address} cannot be reached: nobody listens there")


def test_a_bot_at_an_address_without_a_name_is_refused(empty_shell: Shell, here: Path) -> None:
    nameless = ServedBot(description=pb.DescribeResponse())
    assert "gives no name" in refused(empty_shell, here, nameless.address, "--owner", "ann")
    nameless.stop()
