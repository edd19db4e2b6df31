"""Opening a tournament and playing it, or what is left of it: everything is checked before anything is written."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from math import comb, factorial
from pathlib import Path

import typer

from arena.bots.launcher import Launcher
from arena.cli.choosing import choose, find_again
from arena.cli.errors import CommandFailed, Misuse
from arena.cli.output import harmless
from arena.cli.playing import Watcher, default_tables, play, setups, usable_cores
from arena.cli.rankings import show_ranking
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.settings import database_url
from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.blocks import SEED_BYTES, commitment
from arena.tournament.entries import Entry, entries_digest, sort_entries
from arena.tournament.formats import plan
from arena.tournament.ports import BlockState, Tournament

MATCHES = 201
"""Without `--deals` a tournament has at least so many matches."""

NO_SANDBOX = "No sandbox: the bots run as ordinary programs of your account, so play only bots that you trust."


@dataclass(frozen=True, slots=True)
class Order:
    """A tournament as it was asked for; `deals` None for a sensible number, `seed` None for a secret drawn now."""

    bots: tuple[str, ...]
    format: str
    seats: int
    deals: int | None
    variant: Variant
    limits: Limits
    seed: str | None
    beacon: str
    beacon_text: str
    sandbox: str
    name: str


@dataclass(frozen=True, slots=True)
class Pace:
    """How it is played; nothing of this changes a result. None stands for what suits this machine."""

    workers: int | None
    tables: int | None
    quiet: bool


def open_and_play(order: Order, pace: Pace) -> None:
    """Open a tournament, play it, print its ranking.

    Raises what the packages raise for wrong input, and CommandFailed when it could not be played to its end.
    """
    secret, level = _secret(order.seed), _sandbox_level(order.sandbox)
    choice = choose(order.bots, order.seats)
    entries = sort_entries(Entry(bot.manifest.name, bot.manifest.version, bot.digest) for bot in choice.bots)
    deals = order.deals or default_deals(len(entries), order.seats)
    blocks = plan(order.format, entries, order.seats, deals, order.variant, order.limits)
    if not pace.quiet:
        _announce(choice.note, level, secret)
    tournament = Tournament(
        id=secrets.token_hex(4),
        name=order.name,
        format=order.format,
        seats=order.seats,
        deals=deals,
        variant=order.variant,
        limits=order.limits,
        secret=secret,
        beacon=order.beacon,
        beacon_text=_beacon_text(order.beacon, order.beacon_text, entries),
        entries=entries,
        sandbox=level,
        opened=datetime.now(UTC),
    )
    origins = {bot.digest: str(bot.path.resolve()) for bot in choice.bots}
    with Launcher(ProcessLimits()) as launcher:
        prepared = {bot.digest: launcher.prepare(bot).folder for bot in choice.bots}
        with open_store(database_url(), write=True) as store:
            repository = Repository(store)
            repository.create_tournament(tournament, blocks, origins)
            _play(store, repository, tournament, prepared, pace)


def resume_and_play(name: str | None, bots: tuple[str, ...], pace: Pace) -> None:
    """Play what a tournament has left and print its ranking; `bots` are folders of bots that have moved since."""
    with open_store(database_url(), write=True) as store:
        repository = Repository(store)
        stored = repository.tournament(name) if name else repository.latest()
        tournament = stored.tournament
        if stored.finished is not None:
            show_ranking(repository, stored)
            typer.echo(f"Tournament {tournament.id} is finished: there is nothing left to play.", err=True)
            return
        states = [state for state in repository.entries(tournament.id) if state.withdrawn is None]
        folders = find_again(states, bots)
        with Launcher(ProcessLimits()) as launcher:
            prepared = {bot.digest: launcher.prepare(bot).folder for bot in folders}
            _play(store, repository, tournament, prepared, pace)


def default_deals(entries: int, seats: int) -> int:
    """Blocks a lineup for over 200 matches, in whole rounds of the seating orders of small tables."""
    if entries < seats:
        return 1  # no lineup at all: the plan says so
    orders = factorial(seats - 1) if seats <= 4 else 1
    wanted = -(-MATCHES // (comb(entries, seats) * seats))
    return -(-wanted // orders) * orders


def _play(store: Store, repository: Repository, tournament: Tournament, bots: dict[bytes, Path], pace: Pace) -> None:
    """Play what is left of a stored tournament and show its ranking."""
    ledger = SqlLedger(store)
    workers = pace.workers or len(usable_cores())
    tables = pace.tables or default_tables(tournament.seats)
    slots = setups(tournament, bots, workers=workers, tables=tables, limits=ProcessLimits())
    counts = ledger.counts(tournament.id)
    left = counts.get(BlockState.TODO, 0) + counts.get(BlockState.RUNNING, 0)
    watcher = Watcher(left * tournament.seats, tournament.seats, quiet=pace.quiet)
    started = time.monotonic()
    try:
        report = play(tournament, ledger, slots, watcher)
    except KeyboardInterrupt:
        raise CommandFailed(
            f"stopped; what was finished is stored, continue with `arena tournament resume {tournament.id}`"
        ) from None
    elapsed = time.monotonic() - started
    labels = {entry.digest: f"{entry.name} {entry.version}" for entry in tournament.entries}
    for bot, reason in report.withdrawn.items():
        typer.echo(f"Withdrawn: {harmless(labels[bot])} could not be started: {harmless(reason)}", err=True)
    if not ledger.counts(tournament.id).get(BlockState.DONE, 0):
        raise CommandFailed("no block could be played, so there is no ranking; see the reasons above")
    if not pace.quiet:
        matches = report.done * tournament.seats
        typer.echo(f"Played {matches} matches in {elapsed:.1f} s ({matches / elapsed:.0f} a second).", err=True)
    show_ranking(repository, repository.tournament(tournament.id))


def _sandbox_level(wanted: str) -> str:
    """The level at which bots can be run here: `none`, for this arena runs them as ordinary processes."""
    if wanted == "require":
        raise Misuse("--sandbox require: this arena has no sandbox for bots; play bots that you trust with auto or off")
    if wanted not in ("auto", "off"):
        raise Misuse(f"--sandbox {wanted}: choose auto, require or off")
    return "none"


def _secret(seed: str | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    try:
        secret = bytes.fromhex(seed)
    except ValueError:
        secret = b""
    if len(secret) != SEED_BYTES or len(seed) != 2 * SEED_BYTES:
        raise Misuse(f"--seed {harmless(seed)}: a seed is 64 hexadecimal digits, like {'00' * 3}…{'1f'}")
    return secret


def _announce(note: str, level: str, secret: bytes) -> None:
    """What there is to say before the first card."""
    if note:
        typer.echo(note, err=True)
    if level == "none":
        typer.echo(NO_SANDBOX, err=True)
    typer.echo(f"Commitment to the cards: {commitment(secret).hex()}", err=True)


def _beacon_text(beacon: str, text: str, entries: tuple[Entry, ...]) -> str:
    """The text of the beacon, stripped: as given, or asked for now that the entries are closed."""
    if not beacon:
        if text:
            raise Misuse("--beacon-text needs --beacon NAME, the name of the value that it is the text of")
        return ""
    if not text:
        typer.echo(f"Entries closed: {entries_digest(entries).hex()}", err=True)
        text = typer.prompt(f"Text of {harmless(beacon)}", err=True)
    if not text.strip():
        raise Misuse(f"--beacon {harmless(beacon)}: its text is empty; wait until the value exists")
    return text.strip()
