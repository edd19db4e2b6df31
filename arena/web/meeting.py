"""How one bot fared against another as pages tell it: a share with its interval, and a step between two colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from arena.rating.block_sums import BlockSums
from arena.rating.figures import likelihood
from arena.rating.shares import Share, shares
from arena.web.i18n import Language

STEPS = 10
"""So many colours lie between none of the points and all of them."""

SURE = 0.975
"""With 95 % on both sides together: who is the better, or the worse, with this likelihood is told apart."""

Key = TypeVar("Key")


class ToldShare(NamedTuple):
    """A share in words: `range` is its interval, or the bound of a perfect record, "" for a single block.

    `surer` is the likelihood that it is above one half, "" where nobody can say; `is_told_apart` whether that settles
    it. `step` is the colour, 0 for none to 10 for all; `percent` the share without its sign. `at`, `low` and `high` are
    the share and the ends of its interval as numbers.
    """

    share: str
    percent: str
    range: str
    surer: str
    is_told_apart: bool
    step: int
    at: float
    low: float | None
    high: float | None


def told_shares(language: Language, found: Mapping[Key, BlockSums]) -> dict[Key, ToldShare]:
    """The shares in the reader's language; sums of blocks that were never counted have none."""
    counted: Sequence[tuple[Key, BlockSums]] = [(key, sums) for key, sums in found.items() if sums.blocks]
    told, whole = shares([sums for _, sums in counted]), _Whole.of(language)
    return {key: _told(language, whole, share) for (key, _), share in zip(counted, told, strict=True)}


class _Whole(NamedTuple):
    """All whole per cents as they are written, since there may be thousands of shares: plain, and with the sign."""

    plain: Sequence[str]
    signed: Sequence[str]

    @classmethod
    def of(cls, language: Language) -> _Whole:
        return cls([language.number(n) for n in range(101)], [language.percent(n / 100) for n in range(101)])


def _told(language: Language, whole: _Whole, share: Share) -> ToldShare:
    """One share in the reader's language."""
    low, high, surer = share.low, share.high, share.superiority
    percent = round(100 * share.share)
    if low is not None and high is not None:
        ends = f"{whole.plain[round(100 * low)]}–{whole.signed[round(100 * high)]}"
    elif low is not None:
        ends = f"> {whole.signed[round(100 * low)]}"
    else:
        ends = "" if high is None else f"< {whole.signed[round(100 * high)]}"
    return ToldShare(
        whole.signed[percent],
        whole.plain[percent],
        ends,
        "" if surer is None else likelihood(surer, language.number),
        surer is not None and not 1 - SURE < surer < SURE,
        round(STEPS * share.share),
        share.share,
        low,
        high,
    )
