"""What an A/B test says, for people and as JSON: what was accepted, on what evidence, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.cli.output import console, count, plain, print_json
from arena.rating.sprt import Estimate, Hypotheses, Standing, Verdict
from arena.store.repository import Repository, StoredTournament
from arena.tournament.entries import Entry
from arena.tournament.formats.ab import hypotheses, standing, the_two
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
    if asked is not None:
        yield _verdict(asked, found)
    yield from _measured(found.estimate)
    yield f"Played: {count(found.matches, 'match', 'matches')} in {count(found.blocks, 'block')}."
    if asked is not None:
        yield (
            "The results decide when a test stops, so its estimate is biased, mostly away from 0. Trust the decision; "
            "for an honest size play anew with --fixed."
        )


def _heading(tournament: Tournament, stored: StoredTournament) -> str:
    a, b = (f"{entry.name} {entry.version}" for entry in the_two(setting(tournament)))
    name = f"{tournament.name} ({tournament.id})" if tournament.name else tournament.id
    table = "tables of 4, each bot twice" if tournament.seats == 4 else "tables of 2"
    return f"A/B test {name}: A = {a}, B = {b}, {table}, {'finished' if stored.finished else 'not finished'}"


def _verdict(asked: Hypotheses, found: Standing) -> str:
    """Which hypothesis was accepted, on what evidence."""
    unit = asked.scale.value
    low, high = f"H0 (A leads by {asked.low:+g} {unit})", f"H1 (A leads by {asked.high:+g} {unit})"
    evidence = f"LLR {found.llr:+.2f}, bounds {found.lower:+.2f} and {found.upper:+.2f}"
    if found.verdict is Verdict.OPEN:
        return f"Undecided between {low} and {high}: {evidence}."
    accepted = high if found.verdict is Verdict.HIGH else low
    return f"Accepted: {accepted}, after {count(found.decided_at or 0, 'block')}: {evidence}."


def _measured(found: Estimate) -> Iterator[str]:
    """The lead of A on both scales, as far as it can be said."""
    if found.share is None:
        return
    low, high = found.band
    share = f"A finishes ahead of B in {found.share:.1%} of their meetings"
    if found.nelo is None or found.nelo_half_width is None:
        yield f"{share}; the blocks differ too little to say more than {low:.1%} to {high:.1%}."
        return
    yield f"{share} (a tie is half), in any case in {low:.1%} to {high:.1%}."
    elo = "–" if found.elo is None else f"{found.elo:+.1f} Elo"
    if found.elo_low is not None and found.elo_high is not None:
        elo += f" ({found.elo_low:+.1f} to {found.elo_high:+.1f})"
    yield f"Estimate: {found.nelo:+.1f} ± {found.nelo_half_width:.1f} nElo, {elo}, with intervals of 95 %."
