"""Packing is always the same; what strangers pack is unpacked, or refused with a sentence of its own before anything is
written."""

from __future__ import annotations

import gzip
import os
import stat
import struct
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.bots import members
from arena.bots.archive import MAX_PACKED, pack, read_archive, unpack
from arena.bots.errors import ArchiveError, PackageError
from arena.bots.folders import open_folder
from arena.bots.manifest import load_manifest
from arena.bots.members import MAX_MEMBERS, MIB
from tests.arena_bots.archives import BOT, MANIFEST, entry, extended, header, record, special, tar, zipped
from tests.bots.making import make_bot

Make = Callable[[], bytes]


def zst(data: bytes) -> bytes:
    return zstandard.compress(data)


def encrypted() -> bytes:
    data = bytearray(zipped())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def lying_zip() -> bytes:
    """The directory of a zip archive names another file than stands before its content."""
    data = zipped()
    return data.replace(b"main.py", b"mean.py", 1)


def too_much() -> bytes:
    """More than a bot may have, in an archive that is neither large nor a bomb."""
    return zst(tar({f"{number}": os.urandom(400_000) * 3 for number in range(60)}))


def sparse() -> bytes:
    return tar(None, extended(b"x", record(b"GNU.sparse.realsize", b"99999999999")), header())


PATHS: dict[str, tuple[str, str]] = {
    "an absolute path": ("/etc/evil", "'/etc/evil' is absolute"),
    "a drive": ("C:/evil", "'C:/evil' is absolute"),
    "a way up": ("../evil", "'../evil' leads out of the bot's folder"),
    "a way down and up": ("a/../../evil", "'a/../../evil' leads out of the bot's folder"),
    "a way to the folder above": ("..", "'..' leads out of the bot's folder"),
    "a way up below what is left out": (".git/../../evil", "leads out of the bot's folder"),
    "a backslash": ("..\\evil", "holds a backslash"),
    "a line break": ("a\nb", r"the name 'a\nb' holds a control, direction or other invisible"),
    "an escape": ("a\x1b[31m", "holds a control, direction or other invisible"),
    "a change of direction": ("a\u202efdp.exe", "holds a control, direction or other invisible"),
    "a blank that is none": ("a\u3164b", r"the name 'a\u3164b' holds a control, direction or other invisible"),
    "a blank at the end": ("main.py ", "begins or ends with a space, or ends with a dot"),
    "a dot at the end": ("main.py.", "begins or ends with a space, or ends with a dot"),
    "a long name": ("x" * 121, "has 121 bytes: at most 120"),
    "a long path": ("/".join(["x" * 99] * 3), "has 299 bytes: at most 240"),
    "a deep path": ("a/" * 20 + "b", "lies 20 folders deep: at most 19"),
    "a file twice": ("main.py", "'main.py' is in it twice"),
    "a file twice in other words": ("./main.py", "'main.py' is in it twice"),
    "another spelling": ("MAIN.py", "'main.py' and 'MAIN.py' differ only in capitals"),
    "a wide spelling": ("\uff4dain.py", "differ only in capitals or in how their signs are written"),
    "a file as a folder": ("main.py/x", "'main.py' is both a file and a folder"),
}  # fmt: skip

ARCHIVES: dict[str, tuple[Make, str]] = {
    "nothing": (lambda: b"", "it is empty"),
    "a text": (lambda: b"I am no archive" * 50, "no archive that is known here: use tar"),
    "bzip2": (lambda: b"BZh91AY", "packed with bzip2: use tar"),
    "xz": (lambda: b"\xfd7zXZ\0", "packed with xz: use tar"),
    "a torn gzip": (lambda: gzip.compress(tar())[:-20], "it is damaged, or ends in the middle"),
    "a torn zstd": (lambda: zst(tar())[:-20], "ends in the middle"),
    "gzip without tar": (lambda: gzip.compress(b"x" * 600), "it is damaged: pack it again"),
    "a torn tar": (lambda: tar(end=False)[:-600], "it ends in the middle"),
    "a tar without an end": (lambda: tar(end=False), "it ends in the middle"),
    "a torn zip": (lambda: zipped()[:-30], "it is damaged: pack it again"),
    "a spoilt tar": (lambda: tar(None, b"\xee" * 512), "it is damaged: pack it again"),
    "a spoilt zip": (lambda: zipped({"bot.toml": MANIFEST}, method=0).replace(b"fox", b"dog"), "it is damaged"),
    "a lying zip": (lying_zip, "it is damaged"),
    "no manifest": (lambda: tar({"main.py": b""}), "it has no bot.toml"),
    "a manifest too deep": (lambda: tar({"a/b/bot.toml": MANIFEST}), "it has no bot.toml"),
    "a manifest that is left out": (lambda: tar({".git/bot.toml": MANIFEST}), "it has no bot.toml"),
    "a symbolic link": (lambda: tar(None, special("x", tarfile.SYMTYPE, "/etc/passwd")), "'x' is a link"),
    "a link for a manifest": (lambda: tar({}, special("bot.toml", tarfile.SYMTYPE, "/etc/x")), "'bot.toml' is a link"),
    "a hard link": (lambda: tar(None, special("x", tarfile.LNKTYPE, "bot.toml")), "'x' is a link"),
    "a folder that is a link": (
        lambda: tar(None, special("d", tarfile.SYMTYPE, "/tmp"), header(b"d/x")), "'d' is a link"),
    "a link in a zip": (lambda: zipped(None, (entry("x", stat.S_IFLNK | 0o777), b"/etc/passwd")), "'x' is a link"),
    "a device": (lambda: tar(None, special("x", tarfile.CHRTYPE)), "'x' is neither a file nor a folder"),
    "a disk": (lambda: tar(None, special("x", tarfile.BLKTYPE)), "'x' is neither a file nor a folder"),
    "a pipe": (lambda: tar(None, special("x", tarfile.FIFOTYPE)), "'x' is neither a file nor a folder"),
    "a device in a zip": (lambda: zipped(None, (entry("x", stat.S_IFCHR | 0o666), b"")), "'x' is neither a file"),
    "a sparse file": (lambda: tar(None, header(b"x", b"S")), "'x' is a sparse file"),
    "a sparse file of pax": (sparse, "holds a sparse file"),
    "a kind that nobody knows": (lambda: tar(None, header(b"x", b"Z")), "of the unknown kind b'Z'"),
    "a senseless size": (lambda: tar(None, header(size=b"\x80" + b"\xff" * 11)), "claims a senseless size"),
    "a senseless size in words": (
        lambda: tar(None, extended(b"x", record(b"size", b"-1")), header()), "claims a senseless size"),
    "a size beyond the end": (lambda: tar(None, header(size=b"77777777777")), "it ends in the middle"),
    "a size of letters": (lambda: tar(None, header(size=b"many")), "it is damaged: pack it again"),
    "a huge header": (lambda: tar(None, header(kind=b"x", size=b"00000400000")), "holds a header of 131072 bytes"),
    "a header of nonsense": (lambda: tar(None, extended(b"x", b"9999 path=x\n")), "it is damaged: pack it again"),
    "a name for all": (lambda: tar(None, extended(b"g", record(b"path", b"y")), header()), "gives one name to all"),
    "a long name that leads out": (lambda: tar(None, extended(b"L", b"../" * 40 + b"x\0"), header()), "leads out"),
    "a pax name that leads out": (
        lambda: tar(None, extended(b"x", record(b"path", b"/etc/x")), header()), "'/etc/x' is absolute"),
    "a zero byte": (lambda: tar(None, extended(b"x", record(b"path", b"a\0b")), header()), "holds a zero byte"),
    "a zero byte in a zip": (
        lambda: zipped({"bot.toml": MANIFEST, "mainXpy": b""}).replace(b"mainXpy", b"main\0py"), "holds a zero byte"),
    "a name that is no text": (lambda: tar(None, header(b"\xff\xfe")), "b'\\xff\\xfe' in it is not UTF-8"),
    "no name": (lambda: tar(None, header(b"")), "a file in it has no name"),
    "a dot for a name": (lambda: tar(None, header(b".")), "a file in it has no name"),
    "very many files": (
        lambda: tar(None, *[header(b"%d" % number) for number in range(MAX_MEMBERS)]), "more than 2000 files"),
    "very many folders": (
        lambda: tar(None, *[header(b"%d" % number, b"5") for number in range(MAX_MEMBERS)]), "more than 2000 files"),
    "very many entries": (lambda: b"PK\x05\x06" + b"PK\x01\x02" * 30_000, "more than 2000 files"),
    "a bomb": (lambda: zst(tar({"bot.toml": MANIFEST, "x": bytes(5 * MIB)})), "more than 200 times its size"),
    "a bomb in gzip": (lambda: gzip.compress(tar({"x": bytes(5 * MIB)})), "more than 200 times its size"),
    "a bomb in a zip": (lambda: zipped({"bot.toml": MANIFEST, "x": bytes(5 * MIB)}), "more than 200 times its size"),
    "a bomb of a header": (
        lambda: zst(tar({".x": bytes(80 * MIB)})), "unpacks to more than 64 MB"),
    "too much": (too_much, "unpacks to more than 64 MB"),
    "a locked zip": (encrypted, "it is encrypted"),
    "a zip of another method": (lambda: zipped(method=12), "packed by method 12 of zip"),
}  # fmt: skip


def written(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def refused(data: bytes, tmp_path: Path) -> str:
    """Why an archive is refused; nothing may have come of it."""
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    with pytest.raises(ArchiveError) as caught:
        unpack(data, inner)
    assert written(tmp_path) == ["outer", "outer/inner"]
    said = str(caught.value)
    assert said.isprintable() and len(said) < 250
    return said


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("packed", [tar, zipped], ids=["tar", "zip"])
@pytest.mark.parametrize("why", PATHS)
def test_a_path_that_plays_tricks_is_refused_and_called_by_its_trick(
    tmp_path: Path, packed: Callable[[dict[str, bytes]], bytes], why: str
) -> None:
    path, said = PATHS[why]
    assert said in refused(
        packed(BOT | {"main.py": b"", path: b"evil"}) if path != "main.py" else twice(packed), tmp_path
    )


def twice(packed: Callable[..., bytes]) -> bytes:
    return tar(BOT, header(b"main.py")) if packed is tar else zipped(BOT, (entry("main.py"), b""))


@pytest.mark.parametrize("why", ARCHIVES)
def test_an_archive_that_no_honest_program_makes_is_refused_with_a_sentence_of_its_own(
    tmp_path: Path, why: str
) -> None:
    make, said = ARCHIVES[why]
    assert said in refused(make(), tmp_path)


PACKED: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "tar": tar,
    "tar.gz": lambda files: gzip.compress(tar(files)),
    "tar.zst": lambda files: zst(tar(files)),
    "zip": zipped,
}


@pytest.mark.parametrize("form", PACKED)
@pytest.mark.parametrize("top", ["", "fox-1.0/", "./"])
def test_a_bot_is_unpacked_from_each_form_with_and_without_a_folder_around_it(
    tmp_path: Path, form: str, top: str
) -> None:
    files = {f"{top}{path}": content for path, content in (BOT | {"lib/Δ.txt": b"delta"}).items()}
    bot = unpack(PACKED[form](files), tmp_path)
    assert {path: (bot / path).read_bytes() for path in BOT} == BOT
    assert (bot / "lib" / "Δ.txt").read_text() == "delta"


def test_what_never_belongs_to_a_bot_is_passed_over_whatever_it_is(tmp_path: Path) -> None:
    data = tar(
        BOT | {"._main.py": b"", "__pycache__/main.pyc": b"", "node_modules/a/b.js": b""},
        special(".venv/python", tarfile.SYMTYPE, "/usr/bin/python"),
    )
    unpack(data, tmp_path)
    assert written(tmp_path) == ["bot.toml", "main.py"]


def test_long_names_of_each_kind_are_understood(tmp_path: Path) -> None:
    name = "d" * 90 + "/" + "n" * 90
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT):
        folder = tmp_path / str(form)
        folder.mkdir()
        unpack(tar(BOT, tarfile.TarInfo(name).tobuf(form, "utf-8", "strict")), folder)
        assert (folder / name).is_file()


def test_the_run_bit_survives_and_no_other_permission_does(tmp_path: Path) -> None:
    member = tarfile.TarInfo("run")
    member.mode = 0o6777
    unpack(tar(BOT, member), tmp_path)
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {
        "bot.toml": 0o600, "main.py": 0o600, "run": 0o700
    }  # fmt: skip


def test_an_archive_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", MAX_PACKED + 1)
    with pytest.raises(ArchiveError, match="larger than 32 MB"):
        read_archive(tmp_path / "large")


def test_the_same_content_gives_the_same_bytes_whatever_its_times_and_place(tmp_path: Path) -> None:
    packed = []
    for place, when in (("one", 1), ("two", 2_000_000_000)):
        bot = make_bot(tmp_path / place, ["./run"], "fox", ignore=["*.log"])
        for path in ("zeta", "run", "lib/Δ", "a.log", ".git/x"):
            (bot / path).parent.mkdir(exist_ok=True)
            (bot / path).write_text(place if path in ("a.log", ".git/x") else path)
            os.utime(bot / path, (when, when))
        (bot / "run").chmod(0o700 if place == "one" else 0o755)
        packed.append(pack(bot, load_manifest(bot)))
    assert packed[0] == packed[1]


def test_what_was_packed_unpacks_to_the_same_digest(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "bot", ["./run"])
    for path in ("run", "data/weights.bin", "e\N{COMBINING ACUTE ACCENT}.txt"):
        (bot / path).parent.mkdir(exist_ok=True)
        (bot / path).write_bytes(os.urandom(70_000))
    (bot / "run").chmod(0o755)
    (tmp_path / "copy").mkdir()
    copy = unpack(pack(bot, load_manifest(bot)), tmp_path / "copy")
    assert open_folder(copy).digest == open_folder(bot).digest


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda bot: (bot / "x").symlink_to("/etc/passwd"), "x is a link"),
        (lambda bot: os.mkfifo(bot / "x"), "neither a file nor a folder"),
        (lambda bot: (bot / "MAIN.PY").touch(), "differ only in capitals"),
        (lambda bot: (bot / ("x" * 200)).touch(), "has 200 bytes: at most 120"),
        (lambda bot: (bot / "x\u202ey").touch(), "invisible character"),
        (lambda bot: os.truncate(_touched(bot / "x"), 65 * MIB), "more than 64 MB"),
        (lambda bot: os.truncate(_touched(bot / "x"), 6 * MIB), "more than 200 times its size"),
        (lambda bot: [(bot / str(number)).touch() for number in range(20)], "more than 20 files"),
        (lambda bot: [(bot / str(number)).touch() for number in range(20)], "'ignore' in bot.toml leaves files out"),
    ],
)  # fmt: skip
def test_a_folder_that_could_not_be_unpacked_is_not_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], object], said: str
) -> None:
    monkeypatch.setattr(members, "MAX_MEMBERS", 20)
    bot = make_bot(tmp_path / "bot", ["python", "main.py"])
    (bot / "main.py").touch()
    spoil(bot)
    with pytest.raises((PackageError, ArchiveError)) as caught:
        pack(bot, load_manifest(bot))
    assert said in str(caught.value) and str(bot) in str(caught.value)


def _touched(path: Path) -> Path:
    path.touch()
    return path


def unpack_anything(data: bytes, folder: Path) -> None:
    try:
        unpack(data, folder)
    except ArchiveError as error:
        assert str(error).isprintable()


SEEDS = [tar(), gzip.compress(tar()), zst(tar()), zipped(), tar(None, extended(b"x", record(b"path", b"y")), header())]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.sampled_from(SEEDS),
    changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=4)), max_size=6),
    cut=st.floats(0, 1),
    mend=st.booleans(),
)
def test_whatever_bytes_come_they_are_a_bot_or_refused_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, seed: bytes, changes: list[tuple[float, bytes]], cut: float, mend: bool
) -> None:
    data = bytearray(seed)
    for where, what in changes:
        at = int(where * len(data))
        data[at : at + len(what)] = what
    if mend and len(data) >= 512:  # a sum that fits lets the change through to what is behind it
        data[148:156] = b"        "
        data[148:156] = struct.pack("8s", b"%06o\0 " % sum(data[:512]))
    unpack_anything(bytes(data[: max(1, int(cut * len(data)))] if cut < 0.5 else data), tmp_path_factory.mktemp("any"))
