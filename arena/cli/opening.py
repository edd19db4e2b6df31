"""Opening a tournament and playing it, or what is left of it: everything is checked before anything is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import typer

from arena.bots.folders import BotFolder
from arena.bots.launcher import Launcher
from arena.bots.names import EVERY
from arena.bots.remote import Keyring
from arena.bots.sandbox import level_named
from arena.cli.beacon import check_beacon, with_beacon
from arena.cli.choosing import Bot, choose, find_again
from arena.cli.drafting import draft, evenness, namesake
from arena.cli.errors import CommandFailed
from arena.cli.keeping import ratings_kept
from arena.cli.leader import Leader
from arena.cli.live import Live
from arena.cli.options import Pace
from arena.cli.order import Order, check_sandbox, check_words, sandboxing, secret_of
from arena.cli.outcome import show_outcome, where_to_browse
from arena.cli.output import count
from arena.cli.playing import Watcher, default_workers, play
from arena.cli.startable import those_able
from arena.cli.stopping import stop_at_eof, stopping_cleanly
from arena.cli.submitted import check_kept, source
from arena.cli.tournaments import waits_for
from arena.fleet.engine import Source
from arena.fleet.setups import default_tables, setups
from arena.match.limits import ProcessLimits
from arena.settings import database_is_named, database_url
from arena.store.bots import MOST_FORFEITS, Bots
from arena.store.engine import Store
from arena.store.errors import StoreEmptyError
from arena.store.ledger import SqlLedger
from arena.store.opening import check_store, open_store
from arena.store.ratings import Ratings
from arena.store.repository import Repository, StoredTournament
from arena.tournament.blocks import commitment
from arena.tournament.labels import harmless
from arena.tournament.planning import grows, next_round
from arena.tournament.ports import BlockState, Tournament

Show: TypeAlias = Callable[[Repository, StoredTournament], None]
"""Prints what came of a tournament."""


@stopping_cleanly()
def open_and_play(order: Order, pace: Pace, show: Show = show_outcome) -> None:
    """Open a tournament, play it and `show` what came of it.

    Raises what the packages raise for wrong input, and CommandFailed when it could not be played to its end.
    """
    _heed(pace)
    keeping = order.keeping
    secret, kept = secret_of(keeping.seed), sandboxing(keeping.sandbox)
    check_words(keeping)
    choice = choose(order.bots, order.least, Keyring(keeping.remotes), _often_forfeiting, order.per_owner)
    check_kept(choice.bots, kept.level)
    check_store(database_url(), make_folder=not database_is_named())
    with Launcher(ProcessLimits(), kept.level) as launcher:
        if not order.bots or EVERY in order.bots:
            choice = those_able(choice, launcher, order.least, started=EVERY in order.bots)
        tournament = draft(order, choice.bots, secret, kept.level)
        blocks = next_round(tournament)
        if choice.left_out:
            typer.echo(harmless(choice.left_out), err=True)
        if not pace.quiet:
            _announce([*choice.notes, evenness(tournament, len(blocks)), namesake(tournament.name), kept.note])
        origins = {bot.digest: _origin(bot) for bot in choice.bots}
        prepared = _prepared(choice.bots, launcher)
        with open_store(database_url(), write=True) as store:
            repository = Repository(store)
            repository.create_tournament(tournament, blocks, origins)
            if not pace.quiet:  # only now: a commitment whose secret could still be lost would never be opened
                typer.echo(f"Commitment to the cards: {commitment(secret).hex()}", err=True)
            _play(store, repository, tournament, prepared, pace, show)


@stopping_cleanly()
def resume_and_play(
    name: str | None, bots: tuple[str, ...], remotes: Path | None, beacon_text: str | None, pace: Pace
) -> None:
    """Play what a tournament has left and show what came of it; `bots` are folders of bots that have moved since, and
    `beacon_text` is for one that was stopped before its beacon had a text."""
    _heed(pace)
    keyring = Keyring(remotes)
    with open_store(database_url(), write=True, create=False) as store:
        repository, ledger = Repository(store), SqlLedger(store)
        stored = repository.latest() if name is None else repository.tournament(name)
        tournament = stored.tournament
        if (over := _over(stored, ledger)) is not None:
            if not stored.blocks[BlockState.DONE]:
                raise CommandFailed(
                    f"no block of tournament {tournament.id} was played, so there is no ranking. {over}"
                )
            show_outcome(repository, stored)
            typer.echo(over, err=True)
            return
        check_beacon(tournament, beacon_text)
        check_sandbox(tournament.sandbox)
        states = [state for state in repository.entries(tournament.id) if state.withdrawn is None]
        found = find_again(states, bots, keyring)
        check_kept(found, tournament.sandbox)
        with Launcher(ProcessLimits(), level_named(tournament.sandbox)) as launcher:
            prepared = _prepared(found, launcher)
            _play(store, repository, tournament, prepared, pace, show_outcome, beacon_text)


def finish_without(name: str | None) -> None:
    """Finish a tournament without the blocks of its withdrawn bots; LedgerError while others are to be played."""
    with open_store(database_url(), write=True, create=False) as store:
        repository, ledger = Repository(store), SqlLedger(store)
        stored = repository.latest() if name is None else repository.tournament(name)
        tournament = stored.tournament.id
        with ledger.lead(tournament) as epoch:
            if stored.settled() and _goes_on(ledger, stored.tournament):
                raise CommandFailed(
                    f"tournament {tournament} is not finished: its next round is still to be planned and played, "
                    f"`arena tournament resume {tournament}` goes on with it"
                )
            ledger.finish(tournament, epoch)
    typer.echo(f"Tournament {tournament} is finished; `arena tournament show {tournament}` shows its secret.")


def _over(stored: StoredTournament, ledger: SqlLedger) -> str | None:
    """Why nothing of a tournament can be played now; None when something can."""
    if stored.finished is not None:
        return f"Tournament {stored.tournament.id} is finished: there is nothing left to play."
    return waits_for(stored) if stored.waiting() and not _goes_on(ledger, stored.tournament) else None


def _goes_on(ledger: SqlLedger, tournament: Tournament) -> bool:
    """Whether the format plans a further round, now that every block is settled."""
    if not grows(tournament):
        return False
    return bool(next_round(tournament, ledger.rounds(tournament.id), ledger.withdrawn(tournament.id)))


def _prepared(bots: Iterable[Bot], launcher: Launcher) -> dict[bytes, Source]:
    """Where workers find the bots, by digest."""
    return {bot.digest: source(bot, launcher) for bot in bots}


def _play(
    store: Store,
    repository: Repository,
    tournament: Tournament,
    bots: dict[bytes, Source],
    pace: Pace,
    show: Show,
    beacon_text: str | None = None,
) -> None:
    """Play what is left of a stored tournament and show it; CommandFailed when it is stopped meanwhile."""
    with _resumable(tournament.id):
        tournament = with_beacon(repository, tournament, beacon_text)
        with ratings_kept(repository, tournament.id):
            _play_and_tell(store, tournament, bots, pace)
        stored = repository.tournament(tournament.id)
        show(repository, stored)
        if stored.waiting():
            typer.echo(waits_for(stored), err=True)
        if not pace.quiet and not pace.stop_at_eof:  # whoever it stops with is a program, such as a server
            typer.echo(where_to_browse(tournament.id), err=True)


def _heed(pace: Pace) -> None:
    """Stop when whoever started this ends, if that is wished."""
    if pace.stop_at_eof:
        stop_at_eof()


@contextmanager
def _resumable(tournament: str) -> Iterator[None]:
    """Whatever stops what is done in here, the tournament goes on from there when it is resumed."""
    try:
        yield
    except (KeyboardInterrupt, typer.Abort):
        raise CommandFailed(
            f"stopped; what was finished is stored, continue with `arena tournament resume {tournament}`"
        ) from None


def _play_and_tell(store: Store, tournament: Tournament, bots: dict[bytes, Source], pace: Pace) -> None:
    """Play, and tell what happened on the way; CommandFailed when there is no result at all."""
    ledger = SqlLedger(store)
    counts = ledger.counts(tournament.id)
    left = counts.get(BlockState.TODO, 0) + counts.get(BlockState.RUNNING, 0)
    workers = pace.workers or default_workers(tournament, left)
    tables = pace.tables or default_tables(tournament.seats)
    slots = setups(tournament, bots, workers=workers, tables=tables, limits=ProcessLimits())
    _, pairs = Ratings(store).pairs(tournament.id)
    watcher = Watcher(left, tournament, Live(tournament, ledger, Leader(tournament, pairs)), quiet=pace.quiet)
    started = time.monotonic()
    report = play(tournament, ledger, slots, watcher)
    elapsed = time.monotonic() - started
    labels = {entry.digest: f"{entry.name} {entry.version}" for entry in tournament.entries}
    for bot, reason in report.withdrawn.items():
        typer.echo(f"Withdrawn: {harmless(labels[bot])} could not be started: {harmless(reason)}", err=True)
    if not ledger.counts(tournament.id).get(BlockState.DONE, 0):
        raise CommandFailed("no block could be played, so there is no ranking; see the reasons above")
    if not pace.quiet:
        rate = f"{report.matches / elapsed:.0f} a second"
        typer.echo(f"Played {count(report.matches, 'match', 'matches')} in {elapsed:.1f} s ({rate}).", err=True)


def _announce(notes: Iterable[str]) -> None:
    """What there is to say before the tournament opens."""
    for text in filter(None, notes):
        typer.echo(harmless(text), err=True)


def _often_forfeiting(digests: Iterable[bytes]) -> dict[bytes, int]:
    """Those of the bots that forfeited most of their last matches, and how many; nobody before anything was played."""
    try:
        with open_store(database_url(), write=True, create=False) as store:
            found = Bots(store).recent_forfeits(digests)
    except StoreEmptyError:
        return {}
    return {digest: times for digest, times in found.items() if times > MOST_FORFEITS}


def _origin(bot: Bot) -> str:
    """Where a bot came from; "" when its path is no text that a database can hold."""
    path = str(bot.path.resolve()) if isinstance(bot, BotFolder) else bot.place
    try:
        path.encode()
    except UnicodeEncodeError:
        return ""
    return path
