"""A/B test of two versions: one lineup again and again until a sequential test decides, or a fixed number of blocks.

At 2 seats A sits against B; at 4 each sits twice, mirrored, which needs the fewest matches of all. Blocks count in the
order of their numbers, so the verdict never depends on which of them was finished first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, count, takewhile

from arena.rating import sprt
from arena.rating.errors import BadQuestionError
from arena.rating.notes import Figure, Note
from arena.rating.sprt import Estimate, Hypotheses, Means, Scale, Standing, Verdict, block_share
from arena.tournament.entries import Entry
from arena.tournament.formats.base import Format, PlanError, Rounds, check_options, finite_number, whole_number
from arena.tournament.rounds import Lineup, Setting, SettledBlock

MOST_BLOCKS = 20_000
"""A test without a limit ends undecided after so many blocks."""

_LEAST_ROUND = 16
_SHARE_OF_PLAYED = 4
"""A round is a quarter of what was played: workers stay busy, and little is played beyond the verdict."""

_SCALES = {Scale.NELO: ("nelo0", "nelo1"), Scale.ELO: ("elo0", "elo1")}
_DEFAULTS = (0.0, 10.0)


def hypotheses(setting: Setting) -> Hypotheses | None:
    """What the test decides between; None when a fixed number of blocks is played."""
    if "fixed" in setting.options:
        return None
    scale = Scale.ELO if any(name in setting.options for name in _SCALES[Scale.ELO]) else Scale.NELO
    low, high = (finite_number(setting, name, default) for name, default in zip(_SCALES[scale], _DEFAULTS, strict=True))
    alpha, beta = (finite_number(setting, name, 0.05) for name in ("alpha", "beta"))
    try:
        return Hypotheses(low, high, scale, alpha, beta)
    except BadQuestionError as error:
        raise PlanError(str(error)) from error


def the_two(setting: Setting) -> tuple[Entry, Entry]:
    """A and B; PlanError when they are not two."""
    if len(setting.entries) != 2 or setting.entries[0].digest == setting.entries[1].digest:
        raise PlanError(
            f"an A/B test compares two bots that differ in some file, not {len(setting.entries)} "
            "that may be the same: name A and B"
        )
    a = setting.options.get("a")
    for one, other in (setting.entries, setting.entries[::-1]):
        if one.digest.hex() == a:
            return one, other
    raise PlanError(f"option a is the digest of one of the two bots, not {a!r}")


def standing(setting: Setting, rounds: Rounds) -> Standing:
    """Where the test stands, in the order of block numbers and up to the first block that is not settled.

    Blocks that could not be played are passed over. With a fixed number of blocks the verdict stays open.
    """
    a, _ = the_two(setting)
    played = _played({block.number: block for block in chain.from_iterable(rounds)})
    matches = len(played[0].results) if played else 0
    return sprt.standing([block_share(block.results, a.digest) for block in played], matches, hypotheses(setting))


def _played(settled: dict[int, SettledBlock]) -> list[SettledBlock]:
    whole = takewhile(settled.__contains__, count())
    return [settled[number] for number in whole if settled[number].results]


def _check(setting: Setting) -> None:
    the_two(setting)
    known = (
        {"a", "fixed"} if "fixed" in setting.options else {"a", "alpha", "beta", "blocks", *chain(*_SCALES.values())}
    )
    check_options(setting, known)
    both = [name for names in _SCALES.values() for name in names if name in setting.options]
    if {name[0] for name in both} == {"n", "e"}:
        raise PlanError(f"the hypotheses are in nElo or in Elo, not both: {', '.join(both)}")
    if setting.seats not in (2, 4):
        raise PlanError(f"an A/B test has tables of 2 seats, or of 4 with each bot twice, not {setting.seats}")
    if setting.deals != 1:
        raise PlanError(f"an A/B test counts blocks, not deals a lineup: leave the {setting.deals} deals out")
    hypotheses(setting)
    _most_blocks(setting)


def ended_by(setting: Setting, rounds: Rounds) -> str:
    """What ended the test: "llr" or "band" its verdict, "budget" or "fixed" the number of blocks.

    "" while it may go on, and when a withdrawal ended it.
    """
    decided = standing(setting, rounds).decided_by
    if decided is not None:
        return decided.value
    settled = sum(map(len, rounds))
    return ("fixed" if "fixed" in setting.options else "budget") if settled >= _most_blocks(setting) else ""


def _most_blocks(setting: Setting) -> int:
    name = "fixed" if "fixed" in setting.options else "blocks"
    return whole_number(setting, name, 1) or MOST_BLOCKS


def _next_lineups(setting: Setting, rounds: Rounds) -> Sequence[Lineup]:
    a, b = the_two(setting)
    planned, most = sum(map(len, rounds)), _most_blocks(setting)
    if setting.gone or standing(setting, rounds).verdict is not Verdict.OPEN:
        return ()
    if "fixed" not in setting.options:
        most = min(most, planned + max(_LEAST_ROUND, planned // _SHARE_OF_PLAYED))
    return [(a, b) * (setting.seats // 2)] * (most - planned)


def _tell(setting: Setting, rounds: Rounds) -> Note | None:
    found, asked = standing(setting, rounds), hypotheses(setting)
    a, b = (f"{entry.name} {entry.version}" for entry in the_two(setting))
    if not found.blocks:
        return None
    told = {"a": a, "b": b, "lead": _lead(found.estimate), "matches": found.matches, "blocks": found.blocks}
    lead = Note("", "%(a)s against %(b)s: %(lead)s after %(matches)s matches in %(blocks)s blocks", told)
    if asked is None or found.llr is None or found.lower is None or found.upper is None:
        return Note("", "%(lead)s.", {"lead": lead})
    of = {"llr": found.llr, "low": found.lower, "high": found.upper}
    bounds = {name: Figure(value, 2, is_signed=True) for name, value in of.items()}
    values: dict[str, object] = {"lead": lead, "ratio": Note("", "LLR %(llr)s of %(low)s to %(high)s", bounds)}
    values |= {"unit": asked.scale.value, "low": f"{asked.low:+g}", "high": f"{asked.high:+g}"}
    return _ended(found, values, ended_by(setting, rounds) == "budget")


def _ended(found: Standing, values: Mapping[str, object], by_budget: bool) -> Note:
    """What a test of two hypotheses came to, and by what."""
    if found.decided_at is None and by_budget:
        return Note(
            "", "%(lead)s; the budget ended it undecided between %(low)s and %(high)s %(unit)s (%(ratio)s).", values
        )
    if found.decided_at is None:
        return Note("", "%(lead)s; undecided between %(low)s and %(high)s %(unit)s (%(ratio)s).", values)
    if found.decided_by is Means.BAND:
        values = {**values, "ratio": Note("", "by the band, since the blocks are too much alike for the LLR")}
    accepted = values["high" if found.verdict is Verdict.HIGH else "low"]
    return Note(
        "",
        "Accepted: a lead of %(accepted)s %(unit)s, after %(at)s blocks (%(ratio)s). %(lead)s, "
        "an estimate that is biased, since its results ended the test.",
        {**values, "accepted": accepted, "at": found.decided_at},
    )


def _lead(found: Estimate) -> Note:
    if found.nelo is None or found.nelo_half_width is None:
        low, high = (Figure(100 * share, 1) for share in found.band)
        values = {"share": Figure(100 * (found.share or 0.0), 1), "low": low, "high": high}
        return Note("", "%(share)s %% of the seats beaten (band %(low)s %% to %(high)s %%)", values)
    nelo = {"nelo": Figure(found.nelo, 1, is_signed=True), "half": Figure(found.nelo_half_width, 1)}
    if found.elo_low is None or found.elo_high is None:
        return Note("", "nElo %(nelo)s ± %(half)s", nelo)
    elo = {"low": Figure(found.elo_low, 1, is_signed=True), "high": Figure(found.elo_high, 1, is_signed=True)}
    return Note("", "nElo %(nelo)s ± %(half)s (Elo %(low)s to %(high)s)", {**nelo, **elo})


AB = Format(
    name="ab",
    about="is A better than B? As many blocks as it takes",
    dynamic=True,
    check=_check,
    next_lineups=_next_lineups,
    most_blocks=_most_blocks,
    tell=_tell,
)
