"""Wrong input ends with one line that says what, why and what to do, with exit code 2 (1 where nobody asked for
anything wrong), and leaves every byte as it was."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.folders import open_folder
from arena.cli.errors import FAILED, MISUSE
from arena.game.variant import Variant
from arena.settings import DATABASE_VARIABLE
from arena.store.ledger import SqlLedger
from arena.store.opening import APPLICATION_ID, open_store
from arena.store.repository import Repository
from arena.tournament.entries import Entry
from arena.tournament.formats import plan
from tests.bots.making import make_bot
from tests.cli.stored import Shell, store_tournament
from tests.end_to_end.arena import SECRET, Arena
from tests.tournament.playing import bots, tournament

CUP = replace(tournament(bots(4), 3, Variant(threshold=25), deals=4), id="cup012345678", name="Cup")
TWINS = [replace(CUP, id=f"twin{number}2345678", name="Twin") for number in range(2)]

GOOD = 'name = "fox"\nversion = "1"\ncommand = ["python", "main.py"]\n'
MANIFESTS: dict[str, tuple[str | bytes, str]] = {
    "no-name": (GOOD.replace('name = "fox"', ""), "'name' is missing"),
    "no-command": (GOOD.replace("command", "comand"), "unknown key 'comand'; did you mean 'command'?"),
    "empty-command": (GOOD.replace('"python", "main.py"', ""), "'command' is empty"),
    "text-command": (GOOD.replace('["python", "main.py"]', '"python main.py"'), "'command' must be a list"),
    "number-name": (GOOD.replace('"fox"', "7"), "'name' must be a text"),
    "typo": (GOOD + "quik = true", "did you mean 'quick'?"),
    "quick-word": (GOOD + 'quick = "yes"', "'quick' must be true or false"),
    "memory-word": (GOOD + '[limits]\nmemory_mb = "much"', "'limits.memory_mb' must be a whole number"),
    "no-toml": ("name = fox", "is not valid TOML"),
    "deep": ("name = " + "[" * 5000, "nested too deeply"),
    "large": (GOOD + "#" * 70_000, "longer than 65536 bytes"),
    "not-text": (b"\xff\xfe", "is not valid TOML"),
    "newline-name": (GOOD.replace("fox", "fo\\nx"), "control, direction or other invisible"),
    "bidi-name": (GOOD.replace("fox", "fo\u202ex"), "control, direction or other invisible"),
    "escape-name": (GOOD.replace("fox", "\\u001b[31mfox"), "control, direction or other invisible"),
    "long-name": (GOOD.replace("fox", "fox" * 20), "'name' has 60 characters; at most 40"),
    "path-name": (GOOD.replace("fox", "../fox"), "looks like a path"),
    "long-key": (GOOD + f"{'k' * 3000} = 1", "unknown key"),
    "newline-key": (GOOD + '"a\\nb\\u001b[31m" = 1', "unknown key"),
    "script-typo": (GOOD.replace("fox", "<script>").replace("version", "verzion"), "did you mean 'version'?"),
}  # fmt: skip

RUNS: dict[str, tuple[list[str], list[str]]] = {
    "an unknown bot": (["greedi"], ["there is no bot 'greedi'", "did you mean 'greedy'?"]),
    "an unknown folder": (["nowhere/fox"], ["nowhere/fox does not exist", "name a folder with a bot.toml"]),
    "a file for a folder": (["bots/notes.txt"], ["bots/notes.txt is not a folder", "name a folder"]),
    "a folder without a manifest": (["bots/bare"], ["bots/bare has no bot.toml"]),
    "a folder here without a manifest": (["bots"], ["there is no bot 'bots'", "the folder bots has no bot.toml"]),
    "an empty name": ([""], ["the name of a bot is empty", "name a folder"]),
    "a name that no file can have": (["x" * 5000], ["is no path", "name a folder"]),
    "an unknown user's home": (["~nobody-of-that-name/fox"], ["is no path", "name a folder"]),
    "a manifest that is a folder": (["bots/folder-toml"], ["is not an ordinary file"]),
    "a linked file": (["bots/linked"], ["a link", "copy the file itself"]),
    "one bot twice": (["greedy", "greedy"], ["greedy 1.0 is named twice", "name it once"]),
    "two bots of one name": (["bots/fox", "bots/other-fox"], ["both claim to be fox 1", "change a name or version"]),
    "an address without a port": (["grpc://localhost"], ["grpc://localhost is no address", "must end with a port"]),
    "an address of another kind": (["http://localhost:80"], ["is no address of a bot", "begins with grpc://"]),
    "a password in an address": (["grpcs://me:pw@host:1"], ["user or password", "--remotes"]),
    "an address that steers": (["grpc://\x1b[2J:1"], ["is no address of a bot", "grpc://host:port"]),
    "one address twice": (["grpc://127.0.0.1:1", "GRPC://127.0.0.1:1"], ["is named twice", "name it once"]),
    "no file of remotes": (["grpc://h:1", "--remotes", "nowhere"], ["--remotes nowhere", "does not exist"]),
    "a file of remotes that is none": (["grpc://h:1", "--remotes", "bots/notes.txt"], ["--remotes", "not valid TOML"]),
    "a token without TLS": (["grpc://h:1", "--remotes", "bots/plain.toml"], ["grpc://h:1", "need TLS", "grpcs://"]),
    "all and a bot": (["all", "greedy"], ["'all' means all bots", "name it alone"]),
    "more seats than bots": (["--seats", "8"], ["need 8 different bots", "--seats"]),
    "one seat": (["--seats", "1"], ["seats must be 2 to 8", "not 1"]),
    "nine seats": (["--seats", "9"], ["seats must be 2 to 8 with decks 1", "not 9"]),
    "eleven seats": (["--seats", "11", "--decks", "2"], ["seats must be 2 to 10 with decks 2", "not 11"]),
    "no number of seats": (["--seats", "three"], ["'--seats'", "must be a valid integer"]),
    "three decks": (["--decks", "3"], ["decks must be 1 or 2"]),
    "an empty hand": (["--hand-size", "0"], ["hand_size must be at least 1"]),
    "a negative hand": (["--hand-size", "-5"], ["hand_size must be at least 1"]),
    "hands too large": (["--hand-size", "18"], ["too few cards"]),
    "a negative penalty": (["--penalty", "-1"], ["'--penalty'", "must be at least 0"]),
    "a huge penalty": (["--penalty", "99999999999"], ["'--penalty'", "must be"]),
    "a negative threshold": (["--threshold", "-50"], ["'--threshold'", "must be"]),
    "a huge threshold": (["--threshold", "5000000000"], ["'--threshold'", "must be"]),
    "a match without end": (["--threshold", "0"], ["would never end", "give a deal_cap"]),
    "a negative deal cap": (["--deal-cap", "-1"], ["'--deal-cap'", "must be"]),
    "a single lap": (["--lap-cap", "1"], ["'--lap-cap'", "must be"]),
    "an unknown crossing": (["--crossing", "ABOVE"], ["'--crossing'", "'ABOVE' is not one of 'beyond', 'reach'"]),
    "an unknown finish": (["--finish", "never"], ["'--finish'", "'last_standing', 'first_out'"]),
    "an unknown format": (["--format", "swizz"], ["there is no format 'swizz'", "round-robin"]),
    "an A/B test as a tournament": (["--format", "ab"], ["a command of its own", "`arena ab A B`"]),
    "no question": (["--format", "informed"], ["ask its question", "--until"]),
    "a question and a format": (["--until", "leader at 95%", "--format", "swiss"], ["--format swiss", "leave one"]),
    "a question of nonsense": (["--until", "who is best?"], ["who is best?"]),
    "a question about a stranger": (["--until", "pair greedy gnu at 95%"], ["gnu"]),
    "a question and deals": (["--until", "leader at 95%", "--deals", "3"], ["deals"]),
    "a budget without a question": (["--most-blocks", "9"], ["--most-blocks is the budget of --until"]),
    "rounds of a round robin": (["--rounds", "3"], ["--rounds is for --format swiss only"]),
    "no round": (["--format", "swiss", "--rounds", "0"], ["'--rounds'", "must be at least 1"]),
    "lineups of a knockout": (["--format", "knockout", "--lineups", "9"], ["round-robin and --format gauntlet only"]),
    "a challenger of nobody": (["--challenger", "greedy"], ["--challenger is for --format gauntlet only"]),
    "a gauntlet without challenger": (["--format", "gauntlet"], ["gauntlet needs --challenger BOT"]),
    "a challenger who does not play": (
        ["--format", "gauntlet", "--challenger", "gnu"], ["--challenger gnu is none of the bots", "greedy@1.0"]),
    "no deals": (["--deals", "0"], ["'--deals'", "must be"]),
    "deals without number": (["--deals", "9999999"], ["9999999", "are the most", "choose fewer"]),
    "no worker": (["--workers", "0"], ["'--workers'", "must be"]),
    "no table": (["--tables", "0"], ["'--tables'", "must be"]),
    "no time": (["--turn-limit-ms", "0"], ["'--turn-limit-ms'", "must be"]),
    "time without end": (["--turn-limit-ms", "99999999999"], ["'--turn-limit-ms'", "must be"]),
    "a negative bank": (["--bank-ms", "-1"], ["'--bank-ms'", "must be"]),
    "no strike": (["--strikes", "0"], ["'--strikes'", "must be"]),
    "a seed that is not hex": (["--seed", "g" * 64], ["--seed is 64 hexadecimal digits", "other characters"]),
    "a short seed": (["--seed", SECRET[:-1]], ["--seed is 64 hexadecimal digits", "63 characters"]),
    "a spaced seed": (["--seed", " ".join([SECRET[:32], SECRET[32:]])], ["64 hexadecimal digits", "65 characters"]),
    "a seed with spaces in its place": (["--seed", SECRET[:62] + "  "], ["64 hexadecimal digits", "other characters"]),
    "an empty seed": (["--seed", ""], ["64 hexadecimal digits", "0 characters"]),
    "a text without a beacon": (["--beacon-text", "7"], ["--beacon-text needs --beacon NAME"]),
    "an empty beacon text": (["--beacon", "draw", "--beacon-text", ""], ["--beacon draw", "empty", "wait until"]),
    "a blank beacon text": (["--beacon", "draw", "--beacon-text", " \n"], ["--beacon draw", "empty", "wait until"]),
    "a beacon and nobody to ask": (["--beacon", "draw"], ["nobody can be asked", "--beacon-text"]),
    "a beacon that steers": (["--beacon", "a\x1b[2J", "--beacon-text", "7"], ["--beacon", "control", "leave that out"]),
    "an unknown sandbox": (["--sandbox", "maybe"], ["--sandbox maybe", "auto, require or off"]),
    "a name of two lines": (["--name", "spring\ncup"], ["--name", "control", "leave that out"]),
    "a name that is a path": (["--name", "spring/cup"], ["--name spring/cup", "slash", "choose another"]),
    "a long name": (["--name", "cup" * 50], ["--name", "150 characters", "at most 80"]),
    "an unknown option": (["--sets", "3"], ["--sets", "--seats", "--help"]),
}  # fmt: skip

READS: dict[str, tuple[list[str], int, list[str]]] = {
    "rankings": (["rankings", "nope"], MISUSE, ["no tournament 'nope'", "arena tournament list"]),
    "rankings of nothing": (["rankings", ""], MISUSE, ["no tournament ''", "arena tournament list"]),
    "rankings of twins": (["rankings", "Twin"], MISUSE, ["twin02345678, twin12345678", "give a full id"]),
    "show": (["tournament", "show", "nope"], MISUSE, ["no tournament 'nope'", "arena tournament list"]),
    "show of twins": (["tournament", "show", "twin"], MISUSE, ["twin02345678, twin12345678", "give a full id"]),
    "resume": (["tournament", "resume", "nope"], MISUSE, ["no tournament 'nope'", "arena tournament list"]),
    "resume of nothing": (["tournament", "resume", ""], MISUSE, ["no tournament ''", "arena tournament list"]),
    "resume of twins": (["tournament", "resume", "twin"], MISUSE, ["twin02345678, twin12345678", "full id"]),
    "matches": (["matches", "--tournament", "nope"], MISUSE, ["no tournament 'nope'"]),
    "matches of nobody": (["matches", "--bot", "nobody"], MISUSE, ["no bot 'nobody'", "arena bots list"]),
    "matches without number": (["matches", "--limit", "-1"], MISUSE, ["'--limit'", "must be"]),
    "replay": (["replay", "cup012345678/" + "0" * 64 + "/0"], MISUSE, ["there is no match", "arena matches"]),
    "replay of no address": (["replay", "nope"], MISUSE, ["'nope' is not the address", "arena matches"]),
    "replay of no block": (["replay", "cup012345678/nope/0"], MISUSE, ["is not the address", "arena matches"]),
    "replay of an unknown cup": (["replay", "nope/0/0"], MISUSE, ["no tournament 'nope'"]),
    "export": (["export", "nope", "--out", "x.jsonl"], MISUSE, ["no tournament 'nope'", "arena tournament list"]),
    "export of twins": (["export", "Twin", "--out", "x.jsonl"], MISUSE, ["give a full id"]),
    "export of nothing played": (
        ["export", "twin0", "--out", "x.jsonl"], FAILED, ["no block", "arena tournament resume"]),
    "export nowhere": (["export", "Cup"], MISUSE, ["--out", "--help"]),
    "export into no folder": (["export", "Cup", "--out", "no/x"], MISUSE, ["folder no does not exist", "make it"]),
    "export over a folder": (["export", "Cup", "--out", "bots"], MISUSE, ["bots is a folder", "name a file"]),
    "export over its source": (["export", "Cup", "--out", "arena.db"], MISUSE, ["database itself", "another file"]),
    "export to no name": (["export", "Cup", "--out", "x" * 300], MISUSE, ["cannot be written", "another file"]),
    "verify": (["verify", "nope"], MISUSE, ["no file 'nope'", "no tournament 'nope'"]),
    "verify of nothing": (["verify", ""], MISUSE, ["no file ''"]),
    "verify of no name": (["verify", "x" * 300], MISUSE, ["there is no file", "no tournament"]),
    "verify of a folder": (["verify", "bots"], MISUSE, ["bots is a folder", "name an export"]),
    "cards that are none": (["rules", "legal", "7s 1h"], MISUSE, ["1h"]),
    "a hand that is none": (["rules", "legal", "banana"], MISUSE, ["ban"]),
    "an empty hand": (["rules", "legal", " "], MISUSE, ["the hand is empty", "name its cards"]),
    "a card twice": (["rules", "legal", "7s 7s"], MISUSE, ["7s stands in the hand 2 times", "--decks 2"]),
    "three decks": (["rules", "legal", "7s", "--decks", "3"], MISUSE, ["'--decks'", "must be"]),
    "an unknown command": (["rankins"], MISUSE, ["rankins", "--help"]),
}  # fmt: skip

Refuses = Callable[..., None]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bots, good and broken, and a database with tournaments. Nothing in it may ever change."""
    folder = tmp_path_factory.mktemp("place")
    for name, (text, _) in MANIFESTS.items():
        bot = folder / "bots" / name
        bot.mkdir(parents=True)
        (bot / "bot.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    for name in ("bare", "folder-toml/bot.toml"):
        (folder / "bots" / name).mkdir(parents=True)
    (folder / "bots/notes.txt").write_text("no bot")
    (folder / "bots/plain.toml").write_text('["grpc://h:1"]\ntoken = "token"')
    (folder / "bots/token").write_text("secret")
    make_bot(folder / "bots/fox", ["python", "main.py"])
    make_bot(folder / "bots/other-fox", ["python", "other.py"], "fox")
    (make_bot(folder / "bots/linked", ["python", "main.py"]) / "main.py").symlink_to("/etc/hostname")
    store_tournament(folder / "arena.db", CUP)
    for twin in TWINS:
        store_tournament(folder / "arena.db", twin, blocks=0)
    return folder


def bytes_below(folder: Path) -> dict[str, bytes | None]:
    """Every file below the folder with its content, every folder with None; but not what SQLite shares as memory."""
    found = (path for path in folder.rglob("*") if not path.name.endswith("-shm"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in found}


@pytest.fixture
def refuses(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refuses:
    """Runs a command line in the place, and makes sure that it is refused as wrong input ought to be."""
    shell = Shell(place / "arena.db", monkeypatch, capsys)
    monkeypatch.chdir(place)

    def check(*arguments: str, code: int = MISUSE, says: list[str], database: str | None = None) -> None:
        if database is not None:
            monkeypatch.setenv(DATABASE_VARIABLE, database)
        before = bytes_below(place)
        said = shell(*arguments)
        assert (said.out, said.err.count("\n"), said.code) == ("", 1, code), said
        assert said.err.startswith("arena: ")
        assert len(said.err) < 6000 and "\x1b" not in said.err and "\u202e" not in said.err
        for words in says:
            assert words in said.err
        assert bytes_below(place) == before

    return check


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_broken_manifest(name: str, refuses: Refuses) -> None:
    refuses("tournament", "run", f"bots/{name}", "greedy", "--seats", "2", says=[f"bots/{name}", MANIFESTS[name][1]])


@pytest.mark.parametrize("case", RUNS)
def test_a_tournament_that_cannot_be(case: str, refuses: Refuses) -> None:
    arguments, says = RUNS[case]
    refuses("tournament", "run", *arguments, says=says)


@pytest.mark.parametrize("case", READS)
def test_what_is_not_there(case: str, refuses: Refuses) -> None:
    arguments, code, says = READS[case]
    refuses(*arguments, code=code, says=says)


def test_a_match_that_is_not_unique_or_not_finished(place: Path, refuses: Refuses) -> None:
    blocks = [planned.block_id.hex() for planned in plan("round-robin", CUP.entries, 3, 4, CUP.variant, CUP.limits)]
    (digit, times) = Counter(block[0] for block in blocks).most_common(1)[0]
    assert times > 1
    refuses("replay", f"cup/{digit}/0", says=["could be several matches", "give more"])
    refuses("export", f"cup/{digit}/0", "--out", "x.jsonl", says=["could be several matches", "give more"])
    refuses("replay", f"twin0/{blocks[0]}/0", says=["is not finished"])
    refuses("replay", f"cup/{blocks[0]}/0", "--seat", "3", says=["there is no seat 3", "0 to 2"])
    refuses("replay", f"cup/{blocks[0]}/0", "--deal", "99", says=["there is no deal 99", "choose one of"])


COMMANDS = [
    ["tournament", "run", "greedy", "random", "--seats", "2"],
    ["tournament", "resume"],
    ["tournament", "list"],
    ["tournament", "show"],
    ["rankings"],
    ["matches"],
    ["replay", "cup/0/0"],
    ["export", "Cup", "--out", "x.jsonl"],
    ["verify", "Cup"],
]


def make_databases(folder: Path) -> None:
    """Files that are no database of this arena, and one of a later one."""
    if (folder / "foreign.db").exists():
        return
    with sqlite3.connect(folder / "foreign.db") as foreign:
        foreign.execute("CREATE TABLE customer (name TEXT)")
    foreign.close()
    (folder / "text.db").write_text("not a database, but long enough to be read as the beginning of one " * 4)
    (folder / "folder.db").mkdir(exist_ok=True)
    open_store(f"sqlite:///{folder / 'newer.db'}", write=True).close()
    with sqlite3.connect(folder / "newer.db") as newer:
        assert newer.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.close()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_database_that_is_not_to_be_used(command: list[str], place: Path, refuses: Refuses) -> None:
    make_databases(place)
    another = "name another file with ARENA_DATABASE_URL=sqlite:///PATH"
    refuses(*command, database="sqlite:///foreign.db", says=["foreign.db is the database of another program", another])
    refuses(*command, database="sqlite:///text.db", says=["text.db is not a SQLite database", another])
    refuses(*command, database="sqlite:///folder.db", says=["folder.db cannot be read", another])
    refuses(*command, database="sqlite:///newer.db", says=["newer version", "update the program"])
    refuses(*command, database="postgresql://me:hush@host/arena", says=["me:***@host", "use sqlite:///PATH"])
    refuses(*command, database="arena.db", says=["'arena.db'", "use sqlite:///PATH"])


@pytest.mark.parametrize("command", [line for line in COMMANDS if line[1:2] not in (["run"], ["list"])], ids=" ".join)
def test_nothing_was_played_yet(command: list[str], refuses: Refuses) -> None:
    code = MISUSE if command[0] == "verify" else FAILED
    for database in ("none.db", "none/none.db"):
        refuses(*command, database=f"sqlite:///{database}", code=code, says=["no tournament yet", "tournament run"])


def test_a_database_in_a_folder_that_is_not_there(refuses: Refuses) -> None:
    run = ["tournament", "run", "greedy", "random", "--seats", "2"]
    refuses(*run, database="sqlite:///no/arena.db", says=["/no of the database does not exist", "make it, or"])
    refuses(*run, database="sqlite:///bots/notes.txt/arena.db", says=["cannot be read", "ARENA_DATABASE_URL"])


def test_a_database_that_cannot_be_written(refuses: Refuses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda place, mode: False)  # the system's answer, which root never gets
    refuses("tournament", "run", "greedy", "random", "--seats", "2", says=["write-protected", "ARENA_DATABASE_URL"])


def test_a_broken_bot_of_mine_is_named_when_all_of_mine_play(place: Path, refuses: Refuses) -> None:
    mine = place / "my_bots"
    mine.symlink_to(place / "bots")
    try:
        refuses("tournament", "run", says=["my_bots/", "bot.toml"])
    finally:
        mine.unlink()


@pytest.fixture
def unfinished(place: Path) -> Path:
    """The folder of a bot that has entered a tournament, `real`, of which nothing is played yet."""
    folders = [open_folder(make_bot(place / "entered" / name, ["python", "main.py"])) for name in ("ant", "bee")]
    entries = tuple(Entry(folder.manifest.name, "1", folder.digest) for folder in folders)
    cup = replace(tournament(entries, 2, Variant()), id="real")
    with open_store(f"sqlite:///{place / 'real.db'}", write=True) as store:
        blocks = plan(cup.format, cup.entries, 2, 1, cup.variant, cup.limits)
        if not Repository(store).tournaments():
            Repository(store).create_tournament(cup, blocks, {bot.digest: str(bot.path) for bot in folders})
    return folders[0].path


def test_a_tournament_whose_bot_has_changed(unfinished: Path, refuses: Refuses) -> None:
    (unfinished / "main.py").write_text("print('better now')")
    says = ["ant 1 is nowhere as it entered", "entered/ant", "name a folder that holds them"]
    refuses("tournament", "resume", "real", database="sqlite:///real.db", says=says)
    refuses("tournament", "resume", "real", "bots/no-name", database="sqlite:///real.db", says=["'name' is missing"])
    (unfinished / "main.py").unlink()


def test_a_tournament_that_is_being_played(unfinished: Path, place: Path, refuses: Refuses) -> None:
    with open_store(f"sqlite:///{place / 'real.db'}", write=True) as store, SqlLedger(store).lead("real"):
        says = ["real is being played already, by process", "wait until that is finished"]
        refuses("tournament", "resume", "real", database="sqlite:///real.db", code=FAILED, says=says)


@pytest.mark.parametrize("json", [[], ["--json"]])
@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff" * 5000, b"no export\n", b"{}\n", b"[" * 100_000, b'"a"\n1\nnull\n']
)
def test_a_file_that_is_no_export(content: bytes, json: list[str], refuses: Refuses, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(content)
    refuses("verify", str(tmp_path / "x.jsonl"), *json, says=["x.jsonl is no export", "`arena export`"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tournament", "run", "greedi"], "did you mean 'greedy'?"),
        (["tournament", "run", "--beacon", "draw"], "--beacon-text"),
        (["tournament", "run", "--name", b"\xff"], "--name"),
        (["tournament", "run", "--beacon", "draw", "--beacon-text", b"\xff"], "not UTF-8"),
        (["tournament", "run", b"bots/\xff"], "does not exist"),
        (["verify", b"\xff"], "there is no file"),
    ],
)
def test_a_real_process_refuses_alike(arguments: list[str | bytes], says: str, tmp_path: Path) -> None:
    done = Arena(tmp_path).run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (MISUSE, "", 1), done.stderr
    assert says in done.stderr
    assert list(tmp_path.iterdir()) == []


TESTS: dict[str, tuple[list[str], list[str]]] = {
    "a bot against itself": (["greedy", "greedy"], ["greedy is named twice", "cannot be told from itself"]),
    "one bot only": (["greedy"], ["Missing argument 'B'", "arena ab --help"]),
    "three seats": (["greedy", "random", "--seats", "3"], ["tables of 2 seats, or of 4", "not 3"]),
    "two scales": (["greedy", "random", "--nelo1", "9", "--elo1", "4"], ["in nElo or in Elo, not both"]),
    "hypotheses the wrong way round": (["greedy", "random", "--nelo0", "9", "--nelo1", "4"], ["the lower one first"]),
    "no finite hypothesis": (["greedy", "random", "--nelo1", "inf"], ["nelo1", "finite"]),
    "a chance that is none": (["greedy", "random", "--alpha", "nan"], ["alpha", "finite"]),
    "a chance of a half": (["greedy", "random", "--beta", "0.5"], ["beta is a chance of error"]),
    "a fixed test": (["greedy", "random", "--fixed", "9", "--elo1", "4"], ["--fixed", "--elo1", "leave one"]),
    "a fixed test with a budget": (["greedy", "random", "--fixed", "9", "--most-blocks", "4"], ["--most-blocks"]),
    "no block": (["greedy", "random", "--fixed", "0"], ["'--fixed'", "must be at least 1"]),
    "an unknown bot": (["greedi", "random"], ["there is no bot 'greedi'", "did you mean 'greedy'?"]),
}  # fmt: skip


@pytest.mark.parametrize("case", TESTS)
def test_an_ab_test_that_cannot_be(case: str, refuses: Refuses) -> None:
    arguments, says = TESTS[case]
    refuses("ab", *arguments, says=says)
