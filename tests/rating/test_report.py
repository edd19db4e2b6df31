"""The whole list: the same from any order, and what it refuses."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.counts import MatchResult
from arena.rating.documents import report_document
from arena.rating.errors import BadResultsError, NoOptimumError
from arena.rating.luck import DesignEffect
from arena.rating.report import Report, rate
from arena.rating.results import Block, Results
from tests.rating import examples
from tests.rating.examples import results

BOTS = "ABCDE"
EXACT = 1e-6


@st.composite
def block_lists(draw: st.DrawFn) -> list[Block[str]]:
    def match() -> MatchResult[str]:
        seats = draw(st.lists(st.sampled_from(BOTS), min_size=2, max_size=4))
        each = st.tuples(st.integers(1, 3), st.booleans(), st.integers(0, 9))
        places, faulted, points = zip(*(draw(each) for _ in seats), strict=True)
        return MatchResult(tuple(seats), places, faulted, points, draw(st.integers(0, 4)))

    sizes = draw(st.lists(st.integers(1, 3), max_size=6))
    return [Block(key, tuple(match() for _ in range(size))) for key, size in enumerate(sizes)]


rule = settings(max_examples=10, deadline=None)


def everything(report: Report[str]) -> list[Any]:
    """All that a report says, to be compared to the last digit."""
    meetings, comparisons = report.intransitivity.meetings, report.comparisons
    return [
        *report.bots,
        *(tuple(pair) for pair in comparisons.pairs()),
        report.design_effect,
        report.seats,
        report.intransitivity.circles,
        report.intransitivity.cyclic_share,
        *(json.dumps(column.tolist()) for column in (meetings.points, meetings.z, meetings.superiority)),
    ]


def numbers(report: Report[str]) -> dict[str, list[float | None]]:
    """What does not depend on where bots and seats are listed, by bot."""
    return {row.bot: [row.rating, row.half_width, row.low, row.high, row.points_a_deal] for row in report.bots}


def assert_close(one: dict[str, list[float | None]], other: dict[str, list[float | None]]) -> None:
    assert one.keys() == other.keys()
    for bot, values in one.items():
        for value, value_too in zip(values, other[bot], strict=True):
            assert (value is None) == (value_too is None)
            assert value is None or value_too is None or math.isclose(value, value_too, rel_tol=1e-7, abs_tol=EXACT)


@rule
@given(block_lists(), st.randoms(use_true_random=False))
def test_results_in_any_order_give_the_same_report_to_the_last_digit(blocks: list[Block[str]], random: Random) -> None:
    shuffled = [
        replace(block, matches=tuple(random.sample(block.matches, len(block.matches))))
        for block in random.sample(blocks, len(blocks))
    ]
    assert everything(rate(Results.from_blocks(shuffled))) == everything(rate(Results.from_blocks(blocks)))


@rule
@given(block_lists(), st.randoms(use_true_random=False))
def test_the_order_in_which_seats_are_listed_changes_no_number(blocks: list[Block[str]], random: Random) -> None:
    def permuted(match: MatchResult[str]) -> MatchResult[str]:
        order = random.sample(range(len(match.seats)), len(match.seats))
        columns = (match.seats, match.places, match.faulted, match.points)
        seats, places, faulted, points = (tuple(column[seat] for seat in order) for column in columns)
        return MatchResult(seats, places, faulted, points, match.deals)  # type: ignore[arg-type]

    listed = [replace(block, matches=tuple(permuted(match) for match in block.matches)) for block in blocks]
    assert_close(numbers(rate(Results.from_blocks(listed))), numbers(rate(Results.from_blocks(blocks))))


@rule
@given(block_lists(), st.permutations(BOTS))
def test_the_names_of_bots_change_no_number(blocks: list[Block[str]], names: list[str]) -> None:
    renaming = dict(zip(BOTS, names, strict=True))
    renamed = [
        replace(
            block,
            matches=tuple(replace(match, seats=tuple(renaming[bot] for bot in match.seats)) for match in block.matches),
        )
        for block in blocks
    ]
    found = numbers(rate(Results.from_blocks(renamed, BOTS)))
    assert_close({bot: found[renaming[bot]] for bot in BOTS}, numbers(rate(Results.from_blocks(blocks, BOTS))))


@rule
@given(block_lists())
def test_the_same_blocks_again_under_twice_the_prior_keep_the_ratings(blocks: list[Block[str]]) -> None:
    again = [replace(block, key=1000 + number) for number, block in enumerate(blocks)]
    once, twice = rate(Results.from_blocks(blocks)), rate(Results.from_blocks([*blocks, *again]), prior=2.0)
    assert_close(
        {row.bot: [row.rating] for row in once.bots},
        {row.bot: [row.rating] for row in twice.bots},
    )


@rule
@given(block_lists(), st.sampled_from(["block", "match"]))
def test_every_number_of_every_report_is_finite(blocks: list[Block[str]], cluster: Any) -> None:
    report = rate(Results.from_blocks(blocks, BOTS), cluster=cluster)
    json.dumps([everything(report)[: len(report.bots)], report_document(report)], allow_nan=False, default=str)
    for row in report.bots:
        assert row.half_width is None or row.half_width > 0


@rule
@given(block_lists())
def test_small_pieces_give_the_same_report_as_one(blocks: list[Block[str]]) -> None:
    whole = rate(Results.from_blocks(blocks))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.rating.results._ROWS_AT_ONCE", 3)
        assert_close(numbers(rate(Results.from_blocks(blocks))), numbers(whole))


def test_a_report_counts_the_bots_of_the_second_list_too() -> None:
    blocks = [examples.block(0, "A>B B>A"), examples.block(1, "A>C C>A", faulted="C")]
    clean = rate(Results.from_blocks(blocks).clean())
    assert [(row.bot, row.kind.value) for row in clean.bots] == [
        ("A", "provisional"),
        ("B", "provisional"),
        ("C", "none"),
    ]


def test_perfect_groups_are_told() -> None:
    (component,) = rate(results(examples.UNBEATEN)).components
    assert [(group.bots, group.record.value) for group in component.groups] == [
        (("A",), "UNBEATEN"),
        (("B", "C"), "WINLESS"),
    ]


def test_digests_serve_as_bots_and_keys() -> None:
    low, high = bytes(32), b"\xff" * 32
    block = Block(high, (MatchResult((high, low), (1, 2), (False, False)),))
    assert [row.bot for row in rate(Results.from_blocks([block])).bots] == [high, low]


def test_no_results_are_an_empty_report() -> None:
    report = rate(Results[str].from_blocks([]))
    assert (report.bots, report.components, report.seats, report.design_effect) == (
        (),
        (),
        (),
        DesignEffect(None, None),
    )


def test_two_anchors_are_refused() -> None:
    with pytest.raises(BadResultsError, match="one bot can be the anchor, not 2"):
        rate(results(["A>B"]), anchor={"A": 1500, "B": 1500})


@pytest.mark.parametrize("elo", [math.nan, math.inf])
def test_an_anchor_without_a_finite_rating_is_refused(elo: float) -> None:
    with pytest.raises(BadResultsError, match="anchor"):
        rate(results(["A>B"]), anchor={"A": elo})


def test_too_many_bots_are_refused_before_memory_runs_out() -> None:
    crowd = Results.from_columns(
        [str(number) for number in range(4001)],
        [0],
        block=[0, 0],
        match=[0, 0],
        seat=[0, 1],
        bot=[0, 1],
        place=[1, 2],
        faulted=[0, 0],
    )
    with pytest.raises(BadResultsError, match="at most 4000"):
        rate(crowd)


def test_a_perfect_record_without_a_prior_is_an_error_and_no_number() -> None:
    with pytest.raises(NoOptimumError, match="no finite rating explains that"):
        rate(results(examples.UNBEATEN), prior=0)


def test_a_long_chain_keeps_its_length_and_its_widths() -> None:
    bots = [chr(0x100 + number) for number in range(30)]
    blocks = [f"{a}>{b}" for a, b in pairwise(bots)] * 6
    blocks += [f"{b}>{a}" for a, b in pairwise(bots)] * 4
    pair = rate(results(blocks), prior=0).comparisons.pair(bots[0], bots[-1])
    assert pair.difference == pytest.approx(2042.7, abs=0.1)
    assert pair.half_width is not None
    assert np.sqrt(29) * 100 < pair.half_width < np.sqrt(29) * 400
