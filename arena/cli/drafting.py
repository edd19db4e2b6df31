"""From an order and its bots to the tournament that is opened: how long it gets, and what to say of its plan."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import comb, factorial

from arena.bots.remote import RemoteBot
from arena.cli.choosing import Bot
from arena.cli.errors import Misuse
from arena.cli.lineups import DEFAULT, MATCHES, SELF_SIZED
from arena.cli.order import MOST_BLOCKS, Order, stripped
from arena.cli.output import count
from arena.settings import database_url
from arena.store.errors import StoreEmptyError
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.formats import Format, checked_format
from arena.tournament.formats.balance import even_lineups
from arena.tournament.formats.base import owner_numbers
from arena.tournament.formats.drawing import count_lineups
from arena.tournament.planning import setting
from arena.tournament.ports import Tournament
from arena.tournament.rounds import Setting


def draft(order: Order, bots: Sequence[Bot], secret: bytes, sandbox: str) -> Tournament:
    """The tournament that was ordered; the text of its beacon, when it was not given, is asked for last.

    Raises PlanError and Misuse when it cannot be planned.
    """
    text = order.keeping.beacon_text
    entries = sort_entries(Entry(bot.name, bot.version, bot.digest, isinstance(bot, RemoteBot)) for bot in bots)
    drafted = Tournament(
        id=secrets.token_hex(4),
        name=order.keeping.name,
        format=order.format,
        seats=order.seats,
        deals=order.deals or 1,
        variant=order.variant,
        limits=order.limits,
        secret=secret,
        beacon=order.keeping.beacon,
        beacon_text="" if text is None else stripped(order.keeping.beacon, text),
        entries=entries,
        sandbox=sandbox,
        opened=datetime.now(UTC),
        options=order.options(bots),
        owners={bot.digest: bot.owner for bot in bots if bot.owner},
    )
    planned_for = setting(drafted)
    chosen = checked_format(order.format, planned_for)
    check_repeats(planned_for, order.format)
    deals = order.deals or default_deals(chosen, planned_for)
    blocks = chosen.most_blocks(replace(planned_for, deals=deals))
    if blocks > MOST_BLOCKS:
        raise Misuse(
            f"--deals {deals} makes a tournament of {blocks} blocks, and {MOST_BLOCKS} are the most: choose fewer"
        )
    return replace(drafted, deals=deals)


def check_repeats(planned_for: Setting, format_name: str) -> None:
    """Misuse when more lineups, or rounds, are asked for than there are different ones."""
    entries, seats = planned_for.entries, planned_for.seats
    different = count_lineups(planned_for, entries, seats)
    lineups, rounds = planned_for.options.get("lineups"), planned_for.options.get("rounds")
    if format_name == DEFAULT and lineups is not None and lineups > different:
        raise Misuse(
            f"--lineups {lineups}: these bots have {count(different, 'different lineup')} at tables of {seats}, so "
            "leave it out; --deals says how many blocks each of them plays"
        )
    if format_name != "swiss" or rounds is None:
        return
    alone = len(set(owner_numbers(planned_for, entries))) == len(entries)
    most = different // (len(entries) // seats if alone else 1)
    if rounds > most:
        raise Misuse(
            f"--rounds {rounds}: after {count(most, 'round')} all tables of {seats} of these bots were there, so "
            "choose at most so many; --deals says how many blocks each table plays"
        )


def default_deals(chosen: Format, planned_for: Setting) -> int:
    """Blocks a lineup for over 200 matches, in whole rounds of the seating orders of small tables.

    A format that says itself how many blocks it needs gets 1. `planned_for` has 1 deal.
    """
    if chosen.name in SELF_SIZED:
        return 1
    seats = planned_for.seats
    orders = factorial(seats - 1) if seats <= 4 else 1
    wanted = -(-MATCHES // (chosen.most_blocks(planned_for) * seats))
    return -(-wanted // orders) * orders


def evenness(tournament: Tournament, blocks: int) -> str:
    """What to say of a round robin that draws its lineups: numbers of them that work out evenly; "" for nothing.

    `blocks` is the size of its plan.
    """
    bots, lineups = len(tournament.entries), blocks // tournament.deals
    most = comb(bots, tournament.seats)
    if tournament.format != DEFAULT or lineups == most:
        return ""
    even = [number for number in even_lineups(bots, tournament.seats, lineups) if number <= most]
    if lineups in even or not even:
        return ""
    return (
        f"{count(lineups, 'lineup')} of {most} were drawn, as balanced as they can be. All bots play equally often and "
        f"all pairs meet equally often with --lineups {' or '.join(map(str, even))}."
    )


def namesake(name: str) -> str:
    """What to say of a name that another tournament has; "" for nothing."""
    try:
        with open_store(database_url(), write=True, create=False) as store:
            taken = name != "" and Repository(store).is_named(name)
    except StoreEmptyError:
        return ""
    return f"There is a tournament named '{name}' already, so both are found by their ids only." if taken else ""
