"""`arena submit`: takes a bot in, from a folder, an archive or an address, once it was seen to play by the rules."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from arena.cli.errors import CommandFailed, Misuse
from arena.cli.options import Remotes
from arena.cli.output import console, count, plain, print_json
from arena.settings import database_is_named, database_url
from arena.tournament.entries import BOTS_PER_OWNER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena.bots.folders import Contender
    from arena.bots.launcher import Launcher
    from arena.fleet.examining import Given
    from arena.store.submissions import Submission

PLACE = "The bot's folder, or its name in my_bots/; an archive (tar, tar.gz, tar.zst, zip); or its address."


def submit(
    bot: Annotated[str, typer.Argument(metavar="PATH|ARCHIVE|ADDRESS", help=PLACE)],
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose bot it is; default: your account.", show_default=False)
    ] = None,
    remotes: Remotes = None,
    json: Annotated[bool, typer.Option("--json", help="A JSON object.")] = False,
) -> None:
    """Submit a bot: it is started in the sandbox, asked fixed turns, and kept with all that it needs.

    From then on tournaments play it, unless they name their bots. Submit it again when its files have changed: that is
    a new version, which plays in place of the old one, and the old one keeps its rating. The name belongs to you.
    """
    from arena.bots.remote import is_address

    whose = _owner(owner)
    kept = _submit_address(bot, whose, remotes) if is_address(bot) else _submit_files(bot, whose)
    if json:
        print_json(_document(kept))
        return
    for line in kept.said:
        console().print(plain(line), soft_wrap=True)


class _Kept(NamedTuple):
    """A bot as it is stored, whether it was not before, and what there is to say, a line each."""

    submission: Submission
    new: bool
    said: Sequence[str]


def _document(kept: _Kept) -> dict[str, Any]:
    one = kept.submission
    return {
        "id": one.digest.hex(),
        "name": one.name,
        "version": one.version,
        "owner": one.owner,
        "address": one.address or None,
        "submitted": one.submitted.isoformat(),
        "retired": one.retired.isoformat() if one.retired else None,
        "new": kept.new,
        "said": list(kept.said),
    }


def _owner(named: str | None) -> str:
    from arena.bots.errors import ManifestError
    from arena.bots.names import MAX_OWNER, check_label

    try:
        return check_label("owner", getpass.getuser() if named is None else named, MAX_OWNER)
    except ManifestError as error:
        raise Misuse(f"--owner: {error}") from None
    except (KeyError, OSError, ImportError):
        raise Misuse("your account has no name here: give --owner NAME") from None


def _submit_address(address: str, owner: str, remotes: Path | None) -> _Kept:
    from arena.bots.errors import StartError
    from arena.bots.launcher import Launcher
    from arena.bots.remote import Keyring, introduce, parse_address
    from arena.bots.ring import printable
    from arena.cli.stopping import stopping_cleanly
    from arena.fleet.examining import Given
    from arena.match.limits import ProcessLimits

    access = Keyring(remotes).access(parse_address(address))
    try:
        met = introduce(access)
    except StartError as error:
        raise StartError(f"{access.address} {printable(str(error))}") from None
    if met.name == met.place:
        raise Misuse(f"{met.place} gives no name: let its Describe say one")
    wanted = _wanted(met, owner, met.place)
    _check(wanted)
    with stopping_cleanly(), Launcher(ProcessLimits()) as launcher:
        _try_out(Given(met.label, met.name, met.version, met.digest, access), launcher, address)
    return _keep(wanted, b"")


def _submit_files(what: str, owner: str) -> _Kept:
    from arena.bots.errors import BuildError
    from arena.bots.launcher import Launcher
    from arena.bots.probe import offered
    from arena.cli.given import open_files
    from arena.cli.stopping import stopping_cleanly
    from arena.fleet.examining import packed, ready
    from arena.match.limits import ProcessLimits

    with stopping_cleanly():
        level = offered().level
        if level == "none":
            raise CommandFailed(f"a submitted bot runs in the sandbox only, and there is none here: {offered().reason}")
        with Launcher(ProcessLimits(), level) as launcher:
            bot, package = packed(open_files(what, launcher), owner, launcher)
            wanted = _wanted(bot, owner)
            _check(wanted)
            try:
                given = ready(bot, launcher)
            except BuildError as error:
                raise CommandFailed(f"{error}; {_more(what)}") from None
            _try_out(given, launcher, what)
        return _keep(wanted, package)


def _try_out(given: Given, launcher: Launcher, word: str) -> None:
    """Start the bot and ask it the fixed turns; raises CommandFailed with the first thing that is wrong."""
    from arena.bots.conformance import Check, Step
    from arena.fleet.examining import players

    for report in Check(players(given, launcher)).quick():
        for finding in report.findings:
            if finding.error:
                what = finding.what if report.step is Step.START else f"does not pass the check: {finding.what}"
                raise CommandFailed(f"{given.label} {what}; {_more(word)}")


def _more(word: str) -> str:
    return f"`arena bots check {quote(word)}` tells more"


def _wanted(bot: Contender, owner: str, address: str = "") -> Submission:
    from arena.store.submissions import Submission

    return Submission(bot.name, bot.version, bot.digest, owner, address, datetime.now(UTC))


def _reserved() -> dict[str, bytes]:
    """The names of the sample bots, with the digests that may bear them."""
    from arena.bots.folders import discover
    from arena.settings import sample_bots

    return {bot.name: bot.digest for bot in discover([sample_bots()], broken=True)}


def _check(wanted: Submission) -> None:
    """Find out, before the bot is started, whether it could be stored; raises StoreError."""
    from arena.cli.submitted import all_submitted
    from arena.store.opening import check_store
    from arena.store.submissions import judged

    check_store(database_url(), make_folder=not database_is_named())
    judged(wanted, all_submitted(), _reserved())


def _keep(wanted: Submission, package: bytes) -> _Kept:
    """Store the bot."""
    from arena.cli.doing import note
    from arena.store.opening import open_store
    from arena.store.roles import Deed
    from arena.store.submissions import Submissions

    with open_store(database_url(), write=True) as store:
        submissions = Submissions(store)
        before = submissions.all()
        kept = submissions.add(wanted, _reserved(), package)
        after = submissions.all()
        if new := kept not in before:
            note(store, Deed.SUBMITTED, f"{kept.label} of {kept.owner}")
    return _Kept(kept, new, list(_new(kept, wanted, after) if new else _known(kept)))


def _known(kept: Submission) -> Iterator[str]:
    yield f"{kept.label} was submitted already, and nothing has changed."
    if kept.retired is not None:
        yield f"It is retired: `arena bots restore {quote(kept.name)}` lets it play again."


def _new(kept: Submission, wanted: Submission, all_of_them: Sequence[Submission]) -> Iterator[str]:
    from arena.store.submissions import newest

    yield f"Submitted {kept.label} for {kept.owner}: tournaments play it from now on."
    if kept.version != wanted.version:
        yield f"It says that it is version {wanted.version}, which is another one already, so this is {kept.version}."
    if older := [one for one in all_of_them if one.name == kept.name and one != kept]:
        yield f"It plays in place of {older[-1].label}, which keeps its rating."
    own = [one for one in newest(all_of_them) if one.owner == kept.owner]
    if len(own) > BOTS_PER_OWNER:
        yield (
            f"{kept.owner} has {count(len(own), 'bot')} now, and a tournament plays the {BOTS_PER_OWNER} that were "
            "submitted last, unless --bots-per-owner says otherwise; `arena bots retire NAME` takes one out."
        )
