"""From strengths to the Elo scale, component by component, and to places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np

from arena.rating.counts import BotKey
from arena.rating.likelihood import Floats, Indices
from arena.rating.model import ELO_ORIGIN, ELO_PER_UNIT, Component, Record

EQUAL_ELO = 1e-6
"""Ratings closer than this are equal: the fit's own rounding must not put one of two equals ahead."""


@dataclass(frozen=True, slots=True, eq=False)
class Scale(Generic[BotKey]):
    """The fit as arrays over the sorted bots: strengths, component and group (−1 for bots that met no other).

    `records` has the record of each group. A rating is `origin` + field, both in Elo.
    """

    theta: Floats
    field: Floats
    origin: Floats
    component: Indices
    group: Indices
    records: tuple[Record, ...]

    @classmethod
    def of(
        cls, bots: Sequence[BotKey], components: Sequence[Component[BotKey]], anchor: BotKey | None, elo: float
    ) -> Scale[BotKey]:
        """Put the component of the `anchor` where its rating is `elo`, the means of all others at 1500."""
        position = {bot: index for index, bot in enumerate(bots)}
        theta, field, origin = np.zeros(len(bots)), np.zeros(len(bots)), np.full(len(bots), ELO_ORIGIN)
        component, group = np.full(len(bots), -1), np.full(len(bots), -1)
        records: list[Record] = []
        for number, one in enumerate(components):
            here = [position[bot] for bot in one.bots]
            theta[here] = one.theta
            field[here] = ELO_PER_UNIT * (theta[here] - theta[here].mean())
            component[here] = number
            if anchor in one.bots:
                origin[here] = elo - field[position[anchor]]
            for part in one.groups:
                group[[position[bot] for bot in part.bots]] = len(records)
                records.append(part.record)
        return cls(theta, field, origin, component, group, tuple(records))

    def group_distances(self) -> Floats:
        """Give contrasts, groups × bots: the mean of a group less the mean of its component.

        A last row of zeros stands for the bots that have no group (−1).
        """
        contrasts = np.zeros((len(self.records) + 1, self.theta.size))
        for number in range(len(self.records)):
            here = self.group == number
            around = self.component == self.component[here][0]
            contrasts[number] = here / here.sum() - around / around.sum()
        return contrasts

    def places(self) -> dict[int, int]:
        """Place the bots (by index) of each component; ratings that differ by rounding only share a place."""
        places: dict[int, int] = {}
        for number in range(int(self.component.max(initial=-1)) + 1):
            place, above = 0, np.inf
            here = np.flatnonzero(self.component == number)
            for count, index in enumerate(here[np.argsort(-self.field[here], kind="stable")].tolist(), start=1):
                if above - self.field[index] > EQUAL_ELO:
                    place = count
                places[index], above = place, self.field[index]
        return places
