"""What each action of a turn is worth: all are played out over the same worlds, from what the seat may know alone.

This is the reference that explains turns and gives hints; the strong sample bots choose with it too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from arena.analysis.beliefs import Holding, holdings
from arena.analysis.counting import count_cards, plays_of, without
from arena.analysis.deals import Tables, play_deals, points_declared
from arena.analysis.declaring import OTHERS, weight_of_others
from arena.analysis.hands import MOST_CARDS, Hands, Indices, hand_tables
from arena.analysis.large_hands import LargeHands, heaviest
from arena.analysis.players import Player
from arena.analysis.reading import OFTEN, reread
from arena.analysis.styles import Numbers, paced_style
from arena.analysis.watchful import watchful
from arena.analysis.worlds import Worlds, sample_worlds
from arena.game.actions import Action, Declare, Play
from arena.game.cards import RANK, total
from arena.game.discards import legal_discards
from arena.game.view import Observation

Objective: TypeAlias = Callable[[Indices], Numbers]
"""What is to be minimised, by row, from the points of a deal: a row a playout, a column a player, one's own first, then
the others that are in, clockwise."""

MOST_LAPS = 15
"""A playout that is not over by then ends in a showdown."""
MOST_LARGE = 40
"""So many plays of hands that are too large for tables are estimated at most."""


class Estimate(NamedTuple):
    """An action's worth: expected own `points` in this deal, its `score` (what the objective says; less is better) and
    `loss` (how much more that is than the best action's, or than that of the action it is measured against), each with
    its standard error over the worlds."""

    action: Action
    points: float
    points_error: float
    score: float
    score_error: float
    loss: float
    loss_error: float


class Evaluation(NamedTuple):
    """A turn's worth over so many worlds: the chance that nobody has a lower total than the seat now, with its standard
    error, and the estimates of its actions, the best first."""

    worlds: int
    lowest: float
    lowest_error: float
    estimates: tuple[Estimate, ...]


class Option(NamedTuple):
    """A play by ranks: what is kept and thrown, by number, and the rank taken openly, None for a closed card."""

    kept: int
    thrown: int
    taken: int | None


def against_others(points: Indices) -> Numbers:
    """The usual objective: own points minus half the mean of the others'."""
    return np.asarray(points[:, 0] - OTHERS * points[:, 1:].mean(axis=1))


def to_be_ahead(points: Indices) -> Numbers:
    """The same where nobody is knocked out and the fewest points win: against one opponent the difference."""
    return np.asarray(points[:, 0] - weight_of_others(points.shape[1]) * points[:, 1:].mean(axis=1))


def evaluate(
    view: Observation,
    chance: np.random.Generator,
    worlds: int = 200,
    *,
    also: Action | None = None,
    against: Action | None = None,
    most: int | None = None,
    player: Player | None = None,
    reading: bool = True,
    objective: Objective = against_others,
) -> Evaluation:
    """Return what the actions of the seat to act are worth.

    All go on like `player` (default: the strongest known). With `reading` their last plays tell of their hands,
    too. Plays that differ in suits alone are one estimate. While somebody holds more than five cards, all go on as
    simply as `Greedy`, nothing is read, and the most promising plays alone are estimated.
    `most` leaves out all but the most promising plays. `also` is an action that is estimated in any case, and
    so is `against`, from which losses are measured: the best on the same worlds looks better than it is.
    """
    mixed_pairs = view.public.variant.mixed_pairs
    counts = count_cards(view)
    held = holdings(view, counts)
    known: Hands = hand_tables(mixed_pairs)
    player = player or watchful(mixed_pairs, 1 + len(held))
    if max(seat.cards for seat in view.public.seats) > MOST_CARDS:
        known, player, most = LargeHands(), heaviest(mixed_pairs), min(most or MOST_LARGE, MOST_LARGE)
        reading = False
    sampled = sample_worlds(known, held, counts, worlds * (OFTEN if reading else 1), chance)
    if reading:
        sampled = reread(paced_style(mixed_pairs, 1 + len(held)), held, sampled, worlds, chance)
    plays = promising(view, known, player, most)
    if isinstance(against, Play):
        plays.setdefault(_option(view, known, against), against)
    if isinstance(also, Play):
        plays[_option(view, known, also)] = also
    points = _play_out(view, known, sampled, held, player, list(plays))
    actions: list[Action] = list(plays.values())
    if view.public.may_declare:
        actions.append(Declare())
        points.append(_declare(view, known, sampled))
    lowest = (known.totals(sampled.hands).min(axis=1) >= total(view.hand)).mean()
    measure = None
    if against is not None:
        measure = list(plays).index(_option(view, known, against)) if isinstance(against, Play) else len(plays)
    estimates = _estimates(actions, np.array(points), objective, measure)
    return Evaluation(worlds, float(lowest), float((lowest * (1 - lowest) / worlds) ** 0.5), estimates)


def promising(view: Observation, known: Hands, player: Player, most: int | None) -> dict[Option, Play]:
    """Return the plays by ranks, at most so many, those first whose hands are left with the least cost."""
    public = view.public
    takes = [None] if public.may_take_closed else []
    discards: dict[bytes, bytes] = {}
    for discard in legal_discards(view.hand, public.variant):
        discards.setdefault(discard.translate(RANK), discard)
    plays: dict[Option, Play] = {}
    for discard in discards.values():
        for take in [*takes, *public.open]:
            plays.setdefault(_option(view, known, Play(discard, take)), Play(discard, take))
    if most is None or len(plays) <= most:
        return plays
    options = list(plays)
    after = player.costs_after(np.array([option.kept for option in options]))
    closed = after.mean(axis=1)
    costs = [closed[row] if taken is None else after[row, taken] for row, (_, _, taken) in enumerate(options)]
    return {options[row]: plays[options[row]] for row in np.argsort(costs, kind="stable")[:most]}


def _option(view: Observation, known: Hands, play: Play) -> Option:
    kept = known.number_of(without(view.hand, play.discard))
    return Option(kept, known.number_of(play.discard), None if play.take is None else RANK[play.take])


def _play_out(
    view: Observation,
    known: Hands,
    worlds: Worlds,
    held: Sequence[Holding],
    player: Player,
    options: Sequence[Option],
) -> list[Indices]:
    """By option: the points by world and player, the own first."""
    count, others = worlds.hands.shape
    hands = np.empty((len(options), count, others + 1), dtype=np.intp)
    hands[:, :, :-1] = worlds.hands
    fresh = np.zeros(hands.shape, dtype=np.intp)
    fresh[:, :, :-1] = [holding.fresh for holding in held]
    for row, option in enumerate(options):
        hands[row, :, -1] = known.add(
            np.array(option.kept), worlds.deck[:, 0] if option.taken is None else option.taken
        )
        fresh[row, :, -1] = option.taken is None
    turns = [holding.turns for holding in held]
    had = len(plays_of(view.public.events, view.seat)) + 1
    started = Tables(
        hands=hands.reshape(-1, others + 1),
        open=np.repeat([option.thrown for option in options], count),
        deck=np.tile(worlds.deck[:, 1:], (len(options), 1)),
        left=min(sum(view.public.variant.lap_cap - turn for turn in [*turns, had]), MOST_LAPS * (others + 1)),
        fresh=fresh.reshape(-1, others + 1),
        turns=(*turns, had),
    )
    points = play_deals(started, known, [player] * (others + 1), view.public.variant)
    return list(np.roll(points, 1, axis=1).reshape(hands.shape))


def _declare(view: Observation, known: Hands, worlds: Worlds) -> Indices:
    own = np.full((len(worlds.hands), 1), total(view.hand))
    return points_declared(np.hstack([own, known.totals(worlds.hands)]), 0, view.public.variant)


def _estimates(
    actions: Sequence[Action], points: Indices, objective: Objective, measure: int | None
) -> tuple[Estimate, ...]:
    """From the points by action, world and player; losses are against the action at `measure` (None: the best)."""
    count = points.shape[1]
    scores = objective(points.reshape(-1, points.shape[2])).reshape(points.shape[:2])
    best = scores[scores.mean(axis=1).argmin() if measure is None else measure]

    def figures(row: int) -> tuple[float, ...]:
        samples = np.array([points[row, :, 0], scores[row], scores[row] - best])
        errors = samples.std(axis=1, ddof=1) / count**0.5
        return tuple(np.column_stack([samples.mean(axis=1), errors]).ravel().tolist())

    return tuple(
        sorted((Estimate(action, *figures(row)) for row, action in enumerate(actions)), key=lambda one: one.score)
    )
