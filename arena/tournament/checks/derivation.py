"""Whether identities, seed and seats of a match follow from what was fixed before its first card."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from arena.game.errors import VariantError
from arena.game.variant import Variant, check_variant
from arena.match.limits import Limits, LimitsError
from arena.tournament.blocks import base_order, block_id, match_seed, rotations
from arena.tournament.checks.report import Report, show
from arena.tournament.checks.shape import Match
from arena.tournament.entries import Entry, entries_digest, sort_entries

RUNNING = "the seeds are not yet checkable against the commitment: secret is null while the tournament runs"


class Rules(NamedTuple):
    """What a match was played by."""

    variant: Variant
    limits: Limits


def check_rules(match: Match, where: str, report: Report) -> Rules | None:
    """Read variant and limits; None when they cannot be played by, so that nothing else can be checked."""
    if len(match.seats) != len(match.lineup):
        report.problem(where, "seats", f"are {len(match.seats)}, but lineup has {len(match.lineup)} bots")
        return None
    variant = limits = None
    try:
        variant = Variant.from_dict(match.variant)
        check_variant(variant, len(match.seats))
    except VariantError as error:
        report.problem(where, "variant", f"is refused: {str(error)[:200]}")
        variant = None
    try:
        limits = Limits.from_dict(match.limits)
    except LimitsError as error:
        report.problem(where, "limits", f"are refused: {str(error)[:200]}")
    return None if variant is None or limits is None else Rules(variant, limits)


def check_derivation(match: Match, rules: Rules, where: str, report: Report) -> int | None:
    """Check one match; returns how many rotations its block has, None when that cannot be known."""
    _check_bots(match, where, report)
    lineup = [bytes.fromhex(digest) for digest in match.lineup]
    block = block_id(match.block, lineup, rules.variant, rules.limits).hex()
    report.expect(where, "block_id", match.block_id, block, "from block, lineup, limits and variant")
    report.expect(where, "match_id", match.match_id, f"{match.block_id}/{match.rotation}", "block_id/rotation")
    seed = _check_seed(match, where, report)
    if seed is None and len(lineup) > 4:
        report.note("the seats of a block with a remote bot are not yet checkable: secret is null")
        return None
    seatings = rotations(base_order(lineup, match.block, seed or b""))
    if match.rotation >= len(seatings):
        report.problem(where, "rotation", f"is {match.rotation}, but the block has {len(seatings)} rotations from 0")
        return len(seatings)
    for seat, (bot, digest) in enumerate(zip(match.seats, seatings[match.rotation], strict=True)):
        because = f"from lineup, block and rotation {match.rotation}"
        report.expect(where, f"seats.{seat}.digest", bot.digest, digest.hex(), because)
    return len(seatings)


def _check_bots(match: Match, where: str, report: Report) -> None:
    """Check the entries, that the lineup is made of them, and that the seats hold the lineup."""
    names = {digest: (name, version) for name, version, digest in reversed(match.entries)}
    if match.lineup != sorted(match.lineup):
        report.problem(where, "lineup", "is not sorted")
    for digest in sorted(set(match.lineup) - set(names)):
        report.problem(where, "lineup", f"holds {digest}, which is not among the entries")
    if sorted(bot.digest for bot in match.seats) != sorted(match.lineup):
        report.problem(where, "seats", "hold other digests than lineup")
    for seat, bot in enumerate(match.seats):
        if bot.digest in names:
            name, version = names[bot.digest]
            report.expect(where, f"seats.{seat}.bot", bot.bot, name, "from entries")
            report.expect(where, f"seats.{seat}.version", bot.version, version, "from entries")


def _digest_of_entries(match: Match, where: str, report: Report) -> bytes | None:
    try:
        entries = tuple(Entry(name, version, bytes.fromhex(digest)) for name, version, digest in match.entries)
        ordered = sort_entries(entries)
    except ValueError as error:
        report.problem(where, "entries", f"cannot be read: {str(error)[:200]}")
        return None
    if entries != ordered:
        report.problem(where, "entries", "are not sorted by their lines")
    return entries_digest(entries)


def _check_seed(match: Match, where: str, report: Report) -> bytes | None:
    """Check commitment and seed against the secret; returns the block seed, None when only the secret tells it."""
    entries = _digest_of_entries(match, where, report)
    remote = any(bot.remote for bot in match.seats)
    if match.secret is None:
        report.note(RUNNING)
        return None if remote else bytes.fromhex(match.seed)
    secret = bytes.fromhex(match.secret)
    report.expect(where, "commitment", match.commitment, sha256(secret).hexdigest(), "SHA-256 of secret")
    if entries is None:
        return bytes.fromhex(match.seed)
    block = bytes.fromhex(match.block_id)
    shared = match_seed(secret, entries, match.beacon, block)
    own = match_seed(secret, entries, match.beacon, block, (match.rotation, match.attempt))
    expected, other = (own, shared) if remote else (shared, own)
    if match.seed == other.hex():
        kind = "without" if remote else "with"
        report.problem(where, "seats.remote", f"is {show(remote)}, but seed is that of a block {kind} a remote bot")
    else:
        because = "from secret, entries, beacon and block_id" + (", rotation and attempt" if remote else "")
        report.expect(where, "seed", match.seed, expected.hex(), because)
    return shared
