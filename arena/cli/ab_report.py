"""What an A/B test says, for people and as JSON: what was accepted, on what evidence, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.cli.output import console, count, plain, print_json
from arena.rating.sprt import Estimate, Hypotheses, Means, Standing, Verdict
from arena.store.repository import Repository, StoredTournament
from arena.tournament.entries import Entry
from arena.tournament.formats.ab import ended_by, hypotheses, standing, the_two
from arena.tournament.planning import setting
from arena.tournament.ports import Tournament
from arena.tournament.rounds import Round

VERDICTS = {Verdict.LOW: "h0", Verdict.HIGH: "h1", Verdict.OPEN: "undecided"}


def show_test(repository: Repository, stored: StoredTournament, *, json: bool = False) -> None:
    """Print how a test stands."""
    rounds = repository.rounds(stored.tournament.id)
    if json:
        print_json(document(stored, rounds))
        return
    out = console()
    for line in _lines(stored, rounds):
        out.print(plain(line))


def document(stored: StoredTournament, rounds: tuple[Round, ...]) -> dict[str, Any]:
    """The test as JSON has it; null where a thing cannot be said. A fixed number of blocks has no hypotheses."""
    tournament = stored.tournament
    asked, found = hypotheses(setting(tournament)), standing(setting(tournament), rounds)
    a, b = the_two(setting(tournament))
    estimate = found.estimate
    return {
        "id": tournament.id,
        "name": tournament.name,
        "seats": tournament.seats,
        "finished": None if stored.finished is None else stored.finished.isoformat(),
        "a": _bot(a),
        "b": _bot(b),
        "scale": None if asked is None else asked.scale.value,
        "h0": None if asked is None else asked.low,
        "h1": None if asked is None else asked.high,
        "alpha": None if asked is None else asked.alpha,
        "beta": None if asked is None else asked.beta,
        "verdict": None if asked is None else VERDICTS[found.verdict],
        "decided_at": found.decided_at,
        "decided_by": ended_by(setting(tournament), rounds) or None,
        "llr": found.llr,
        "lower": found.lower,
        "upper": found.upper,
        "blocks": found.blocks,
        "matches": found.matches,
        "share": estimate.share,
        "band": list(estimate.band),
        "nelo": estimate.nelo,
        "nelo_half_width": estimate.nelo_half_width,
        "elo": estimate.elo,
        "elo_low": estimate.elo_low,
        "elo_high": estimate.elo_high,
        "biased": asked is not None,
    }


def _bot(entry: Entry) -> dict[str, Any]:
    return {"id": entry.digest.hex(), "bot": entry.name, "version": entry.version, "remote": entry.remote}


def _lines(stored: StoredTournament, rounds: tuple[Round, ...]) -> Iterator[str]:
    tournament = stored.tournament
    asked, found = hypotheses(setting(tournament)), standing(setting(tournament), rounds)
    yield _heading(tournament, stored)
    yield ""
    ended = ended_by(setting(tournament), rounds)
    if asked is not None:
        yield _verdict(asked, found, ended)
    yield from _measured(found.estimate)
    yield f"Played: {count(found.matches, 'match', 'matches')} in {count(found.blocks, 'block')}."
    if asked is not None:
        yield _trust(found, ended)


def _heading(tournament: Tournament, stored: StoredTournament) -> str:
    a, b = (f"{entry.name} {entry.version}" for entry in the_two(setting(tournament)))
    name = f"{tournament.name} ({tournament.id})" if tournament.name else tournament.id
    table = "tables of 4, each bot twice" if tournament.seats == 4 else "tables of 2"
    return f"A/B test {name}: A = {a}, B = {b}, {table}, {'finished' if stored.finished else 'not finished'}"


def _verdict(asked: Hypotheses, found: Standing, ended: str) -> str:
    """Which hypothesis was accepted, on what evidence."""
    unit = asked.scale.value
    low, high = f"H0 (A leads by {asked.low:+g} {unit})", f"H1 (A leads by {asked.high:+g} {unit})"
    evidence = f"LLR {found.llr:+.2f}, bounds {found.lower:+.2f} and {found.upper:+.2f}"
    if found.verdict is Verdict.OPEN:
        budget = f": the budget of {count(found.blocks, 'block')} ended the test" if ended == "budget" else ""
        return f"Undecided between {low} and {high}{budget}: {evidence}."
    accepted, other = (high, "H0") if found.verdict is Verdict.HIGH else (low, "H1")
    after = f"Accepted: {accepted}, after {count(found.decided_at or 0, 'block')}"
    if found.decided_by is Means.BAND:
        chance = asked.alpha if found.verdict is Verdict.HIGH else asked.beta
        return (
            f"{after}, by the band: the blocks are too much alike for the LLR, and so far from {other} they come "
            f"with a chance of {100 * chance:g} % at most."
        )
    return f"{after}, by the LLR: {evidence}."


def _trust(found: Standing, ended: str) -> str:
    """How far what was measured can be trusted."""
    if found.verdict is not Verdict.OPEN:
        return (
            "The results decide when a test stops, so its estimate is biased, mostly away from 0. Trust the decision; "
            "for an honest size play anew with --fixed."
        )
    if ended == "budget":
        return (
            "Neither hypothesis is accepted, and that is no sign of equal bots. Known is the range that holds in any "
            "case; to go on, play anew with more --most-blocks."
        )
    return "Until the test ends, known is the range that holds in any case."


def _measured(found: Estimate) -> Iterator[str]:
    """The lead of A on both scales, as far as it can be said."""
    if found.share is None:
        return
    low, high = found.band
    yield (
        f"A finishes ahead of B in {_percent(found.share)} of their meetings (a tie is half), in any case in "
        f"{_percent(low)} to {_percent(high)}."
    )
    elo = _elo(found)
    if found.nelo is not None and found.nelo_half_width is not None:
        nelo = f"{found.nelo:+.1f} ± {found.nelo_half_width:.1f} nElo"
        yield f"Estimate: {', '.join(filter(None, (nelo, elo)))}, with intervals of 95 %."
    elif elo:
        yield f"The blocks differ too little to measure nElo; by that range: {elo}."


def _elo(found: Estimate) -> str:
    """The lead in Elo with its interval, or with the one end that it has; "" when it has none."""
    size = "" if found.elo is None else f"{found.elo:+.1f} Elo"
    ends = [None if end is None else f"{end:+.1f}" for end in (found.elo_low, found.elo_high)]
    match ends:
        case [None, None]:
            return ""
        case [low, None]:
            span = f"{low} or more"
        case [None, high]:
            span = f"{high} or less"
        case _:
            span = " to ".join(filter(None, ends))
    return f"{size} ({span})" if size else f"Elo {span}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
