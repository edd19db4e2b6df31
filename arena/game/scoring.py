"""What a deal adds to the points, who is knocked out, and who stands where in the end (rules 6 to 8).

Sequences are by seat; None stands for a seat that is not in.
"""

from collections.abc import Sequence
from math import inf

from arena.game.events import Ending
from arena.game.variant import Crossing, Finish, Variant


def declaration_holds(own: int, lowest_other: int, variant: Variant) -> bool:
    """Return whether a declaration with the total `own` holds against the lowest of the others (rule 6)."""
    return own < lowest_other or (variant.tie_holds and own == lowest_other)


def points_of_declaration(totals: Sequence[int | None], declarer: int, variant: Variant) -> tuple[int | None, ...]:
    """Return the points that each seat gets when `declarer` declared and the hands have these totals.

    The declaration holds when no other seat is lower (rule 6; with `tie_holds` false: nor equal), and everybody gets
    the difference to the declarer. Otherwise the declarer alone pays the penalty and its difference to the lowest
    (rule 7).
    """
    own = totals[declarer] or 0
    lowest_other = min([total for seat, total in enumerate(totals) if total is not None and seat != declarer])
    if declaration_holds(own, lowest_other, variant):
        return _differences(totals, own)
    paid = variant.penalty + own - lowest_other
    return tuple([None if total is None else paid if seat == declarer else 0 for seat, total in enumerate(totals)])


def points_of_showdown(totals: Sequence[int | None]) -> tuple[int | None, ...]:
    """Return the points of a deal that nobody declared: each seat's difference to the lowest total."""
    return _differences(totals, min([total for total in totals if total is not None]))


def _differences(totals: Sequence[int | None], lowest: int) -> tuple[int | None, ...]:
    return tuple([None if total is None else total - lowest for total in totals])


def most_points(variant: Variant) -> float:
    """Return with how many points at most a seat stays in (rule 8); a threshold of 0 knocks nobody out."""
    if variant.threshold == 0:
        return inf
    return variant.threshold if variant.crossing is Crossing.BEYOND else variant.threshold - 1


def ending_of(variant: Variant, deal: int, scored: int, live: int) -> Ending | None:
    """Return how the match ends after a deal (from 0) that scored so many seats and left so many live; None when it
    goes on (rule 8).
    """
    if variant.finish is Finish.FIRST_OUT and live < scored:
        return Ending.FIRST_OUT
    if live == 1:
        return Ending.LAST_STANDING
    if deal + 1 == variant.deal_cap:
        return Ending.DEAL_CAP
    return None


def places(
    points: Sequence[int], knocked_out: Sequence[int | None], forfeited: Sequence[bool], ending: Ending
) -> tuple[int, ...]:
    """Return each seat's place: 1 + the number of seats that did strictly better.

    Seats still in rank by points, then those knocked out (in the deal given; a later one is better, then points),
    then those that forfeited, all level. After FIRST_OUT all that did not forfeit rank by points.
    """

    def standing(seat: int) -> tuple[int, int, int]:
        deal = knocked_out[seat]
        if forfeited[seat]:
            return 2, 0, 0
        if deal is None or ending is Ending.FIRST_OUT:
            return 0, 0, points[seat]
        return 1, -deal, points[seat]

    standings = [standing(seat) for seat in range(len(points))]
    return tuple(1 + sum(other < own for other in standings) for own in standings)
