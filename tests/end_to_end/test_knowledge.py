"""While a tournament is played a spy reads all that the arena gives away, and finds nothing of a block that is open.

What it reads: the database's files and copies of it, every page and export, what the command prints, what authors see
of their bots, and what bots are told of matches that ended. That requests do not depend on hidden cards is shown in
`tests/wire`, that a bot cannot reach any of this in `tests/arena_bots/test_sandbox.py`.
"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena.cli.errors import MISUSE
from arena.settings import url_of
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.draw import draw_block
from tests.bots.making import make_bot
from tests.cli.stored import Shell
from tests.end_to_end.arena import SECRET, Arena

CANARY = "zX9-canary"
TALKATIVE = f"""
import sys, time
from pathlib import Path
from arena.sdk import Declare, Play, serve
from arena.wire.v1 import record_pb2

journal, pause = Path(sys.argv[1]), float(sys.argv[2])
turns = 0

def note(*words):
    with journal.open("a") as file:
        file.write(" ".join(map(str, words)) + "\\n")

def choose(seen):
    global turns
    turns += 1
    note("turn", seen.table)
    print("{CANARY}", seen.table, seen.hand.hex(), file=sys.stderr, flush=True)
    time.sleep(pause)
    if turns % 5 == 0:
        raise RuntimeError("{CANARY}")
    if seen.may_declare and seen.total < 9:
        return Declare()
    return Play(seen.hand[-1:], None if seen.may_take_closed else seen.open[0])

def ended(conclusion):
    note("end", conclusion.table, record_pb2.MatchPlay.FromString(conclusion.record).block_id.hex())

serve(choose, on_conclude=ended)
"""
PAGES = (
    "matches --json --limit 1000", "tournament show --json", "tournament list --json", "rankings --json",
    "bots list --json", "bots show slow --json", "bots logs slow --json", "bots logs quick --json",
)  # fmt: skip
BOTS = ("quick", "slow")


@dataclass
class Truth:
    """What a copy of the database says about blocks: the hex of their ids."""

    done: set[str] = field(default_factory=set)
    seeds: dict[str, bytes] = field(default_factory=dict)
    """Of the blocks that are not done, by their ids."""


def truth(path: Path, copy: Path) -> Truth:
    """Look into a copy of the database at `path`: of each block all matches are there, or none and nothing of them."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as live, closing(sqlite3.connect(copy)) as copied:
        live.backup(copied)
        stored = dict(copied.execute("SELECT block, COUNT(*) FROM match GROUP BY block").fetchall())
        (records,) = copied.execute("SELECT COUNT(*) FROM record").fetchone()
        states = copied.execute("SELECT key, hex(block_id), state FROM block").fetchall()
        (secret,) = copied.execute("SELECT secret FROM tournament").fetchone()
    assert secret == bytes.fromhex(SECRET), "it is there, and out of a bot's reach"
    assert sum(stored.values()) == records
    done = {key for key, _, state in states if state.lower() == "done"}
    assert stored == dict.fromkeys(done, len(BOTS))
    with open_store(url_of(copy), write=False) as store:
        repository = Repository(store)
        (only,) = repository.tournaments()
        seeds = {
            missing.block.block_id.hex(): draw_block(only.tournament, missing.block, 1)[0].seed
            for missing in repository.missing(only.tournament.id)
        }
    return Truth({name.lower() for key, name, _ in states if key in done}, seeds)


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """A folder with two bots that tell in `journal` all they are asked and told, one of which takes its time."""
    for name, pause in zip(BOTS, ("0", "0.02"), strict=True):
        bot = make_bot(tmp_path / name, ["python", "main.py", str(tmp_path / "journal"), pause])
        (bot / "main.py").write_text(TALKATIVE)
    return Arena(tmp_path)


@pytest.fixture
def shell(arena: Arena, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(arena.folder)
    return Shell(arena.folder / "arena.db", monkeypatch, capsys)


@dataclass
class Look:
    """All that was read at one moment, and the truth a moment later."""

    files: bytes
    pages: dict[str, str]
    truth: Truth


def looks(process: subprocess.Popen[str], arena: Arena, shell: Shell) -> Iterator[Look]:
    """Read everything again and again while the tournament is played."""
    database = arena.folder / "arena.db"
    known = Truth()
    while process.poll() is None and not shell("tournament", "list", "--json").out.startswith("[\n  {"):
        pass
    while process.poll() is None:
        files = b"".join(path.read_bytes() for path in (database, Path(f"{database}-wal")) if path.exists())
        pages = {page: said.out + said.err for page in PAGES for said in [shell(*page.split())]}
        name = json.loads(pages["tournament list --json"])[0]["id"]
        pages["export"] = shell("export", name, "--out", "-").out
        replayed = {block for block in known.seeds if shell("replay", f"{name}/{block}/0").code != MISUSE}
        known = truth(database, arena.folder / "copy.db")
        assert replayed <= known.done
        if known.seeds:  # with the last block the secret is everybody's
            yield Look(files, pages, known)


def tables_told(page: str) -> set[str]:
    """The tables of which a page shows what a bot had printed."""
    return set(re.findall(rf"{CANARY} (\d+) [0-9a-f]+", page))


def check(look: Look) -> set[str]:
    """Make sure that nothing of an open block is to be read; returns the tables of which something is."""
    known = look.truth
    for seed in known.seeds.values():
        assert seed not in look.files and seed.hex().encode() not in look.files
    everything = "\n".join(look.pages.values())
    assert not [secret for secret in (SECRET, *(seed.hex() for seed in known.seeds.values())) if secret in everything]
    listed = {match["id"].split("/")[1] for match in json.loads(look.pages["matches --json --limit 1000"])}
    exported = {json.loads(line)["block_id"] for line in look.pages["export"].splitlines()}
    assert listed | exported <= known.done
    for page in look.pages:
        if not page.startswith("bots logs"):
            assert CANARY not in look.pages[page]
    return tables_told(everything)


def blocks_by_table(journal: list[list[str]]) -> dict[str, str]:
    """Which block each table was of, as the bots were told when it had ended; none is told of it while it is played."""
    blocks = {words[1]: words[2] for words in journal if words[0] == "end"}
    told: set[str] = set()
    for words in journal:
        if words[0] == "end":
            told.add(words[2])
        else:
            assert blocks.get(words[1]) not in told
    return blocks


@pytest.mark.slow
def test_nothing_of_a_block_can_be_read_anywhere_before_it_is_complete(arena: Arena, shell: Shell) -> None:
    options = "--seats 2 --deals 8 --deal-cap 1 --strikes 99 --workers 1 --tables 4 --sandbox off --quiet"
    process = arena.start("tournament", "run", *(f"./{name}" for name in BOTS), "--seed", SECRET, *options.split())
    shown: list[tuple[set[str], set[str]]] = []
    try:
        for look in looks(process, arena, shell):
            tables = check(look)
            shown.append((tables, look.truth.done))
    finally:
        process.terminate()
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert CANARY not in output + errors
    journal = [line.split() for line in (arena.folder / "journal").read_text().splitlines()]
    blocks = blocks_by_table(journal)
    for tables, done in shown:
        assert {blocks[table] for table in tables if table in blocks} <= done
        assert tables <= blocks.keys()
    assert len([done for _, done in shown if 0 < len(done) < 8]) > 1, "or it proves nothing"
    assert shell("tournament", "show", "--json").json["secret"] == SECRET
    assert len(set(blocks.values())) == 8
    assert tables_told(shell("bots", "logs", "slow", "--json").out)
