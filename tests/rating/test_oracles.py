"""Ratings and errors against packages that others wrote, where these can do the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arena.rating.counts import pair_counts
from arena.rating.model import ELO_PER_UNIT, fit
from arena.rating.report import rate
from tests.rating import examples
from tests.rating.examples import block, match, results
from tests.rating.reference import covariances, of_pair

pytestmark = pytest.mark.slow


def test_wins_without_ties_agree_with_choix() -> None:
    import choix

    index = {bot: number for number, bot in enumerate("ABC")}
    wins = [(index[order[0]], index[order[2]]) for order in examples.THROUGH_A_THIRD]
    expected = ELO_PER_UNIT * choix.opt_pairwise(3, wins, alpha=0.0)
    found = [row.field for row in sorted(rate(results(examples.THROUGH_A_THIRD), prior=0).bots)]
    assert found == pytest.approx(expected.tolist(), abs=1e-3)


def test_whole_orders_come_close_to_plackett_and_luce() -> None:
    import choix

    orders = [tuple("ABC".index(bot) for bot in order.split(">")) for order in examples.THREE_AT_A_TABLE]
    luce = ELO_PER_UNIT * choix.opt_rankings(3, orders, alpha=0.0)
    assert luce.tolist() == pytest.approx([81.9, 21.6, -103.5], abs=0.1)
    found = [row.field for row in sorted(rate(results(examples.THREE_AT_A_TABLE), prior=0).bots)]
    assert found == pytest.approx([82.8, 20.8, -103.5], abs=0.1)


@pytest.mark.parametrize("blocks", [examples.WINS_TIES_LOSSES, examples.BLOCKS_OF_TWO])
def test_errors_of_two_bots_agree_with_a_clustered_regression(blocks: list[str]) -> None:
    import statsmodels.api as sm

    score = {"A>B": 1.0, "A=B": 0.5, "B>A": 0.0}
    scores = [score[order] for orders in blocks for order in orders.split()]
    groups = [number for number, orders in enumerate(blocks) for _ in orders.split()]
    model = sm.GLM(scores, np.ones(len(scores)), family=sm.families.Binomial())
    plain = model.fit()
    clustered = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    found = covariances([block(key, orders) for key, orders in enumerate(blocks)], 0)
    count = len(blocks)
    assert found.theta[0] - found.theta[1] == pytest.approx(plain.params[0], abs=1e-6)
    assert of_pair(found.naive, 0, 1) == pytest.approx(plain.bse[0] ** 2, rel=1e-6)
    assert of_pair(found.cr1, 0, 1) == pytest.approx(count / (count - 1) * clustered.bse[0] ** 2, rel=1e-6)


def test_a_fit_under_the_prior_agrees_with_forty_digits() -> None:
    import mpmath

    counts = pair_counts([[match(order)] for order in examples.SIX_TABLES])

    def slopes(*theta: Any) -> list[Any]:
        found = [(1 - 2 / (1 + mpmath.exp(-one))) / 2 for one in theta]
        for count in counts:
            a, b = "ABCD".index(count.a), "ABCD".index(count.b)
            won = count.wins + mpmath.mpf(count.draws) / 2
            pull = mpmath.mpf(3) / (count.seats + 1) * (won - count.games / (1 + mpmath.exp(theta[b] - theta[a])))
            found[a] += pull
            found[b] -= pull
        return found

    with mpmath.workdps(40):
        optimum = mpmath.findroot(slopes, [0.1, 0, 0, -0.1])
    (component,) = fit("ABCD", counts).components
    assert component.theta == pytest.approx([float(one) for one in optimum], abs=1e-13)
