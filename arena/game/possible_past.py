"""Whether the finished deals that a seat is shown fit together, and lead to the points, seats and starter of this."""

from collections import Counter
from collections.abc import Sequence

from arena.game.cards import card_name, total
from arena.game.errors import Contradiction
from arena.game.events import DealEnd
from arena.game.history import PastDeal
from arena.game.scoring import ending_of, most_points, points_of_declaration, points_of_showdown
from arena.game.seating import turn_order
from arena.game.variant import Variant
from arena.game.view import PublicView


def check_past(public: PublicView, live: Sequence[int], turn: int) -> None:
    """Check that the finished deals lead to this one, dealt to the seats `live`, and to the match's turn `turn`.

    Raises:
        Contradiction: they do not.
    """
    if public.deal != len(public.past):
        raise Contradiction(f"deal is {public.deal}, but {len(public.past)} deals are finished (past_deals)")
    past = _Past(public.variant, len(public.seats))
    for number, deal in enumerate(public.past):
        try:
            past.add(deal)
        except Contradiction as error:
            raise Contradiction(f"past_deals[{number}] cannot be: {error}") from None
    for seat, (shown, points) in enumerate(zip(public.seats, past.points, strict=True)):
        if shown.points != points:
            raise Contradiction(f"seat {seat} has {shown.points} points, but past_deals give it {points}")
    for seat in set(live).symmetric_difference(past.live):
        play = "plays, but is out since an earlier deal" if seat in live else "is out, but nothing put it out"
        raise Contradiction(f"seat {seat} {play}")
    if public.starter != past.starter:
        raise Contradiction(f"starter is {public.starter}, but seat {past.starter} starts this deal")
    least, most = (turns + len(public.events) for turns in (past.least_turns, past.most_turns))
    if not least <= turn <= most:
        wanted = f"it is {least}" if least == most else f"it is {least} to {most}"
        raise Contradiction(f"turn is {turn}, but after past_deals and events {wanted}")


class _Past:
    """What finished deals lead to: points by seat, the seats that are in, the next starter, and how many turns it took.

    How many turns a deal had is not shown, so only bounds of their number are known.
    """

    def __init__(self, variant: Variant, seats: int) -> None:
        self._variant = variant
        self._deals = 0
        self.points = [0] * seats
        self.live = tuple(range(seats))
        self.starter = 0
        self.least_turns = 0
        self.most_turns = 0

    def add(self, deal: PastDeal) -> None:
        """Add the next finished deal. Raises Contradiction when there is no such deal, or nothing follows it."""
        scored = tuple(seat for seat, hand in enumerate(deal.hands) if hand is not None)
        self._check_hands(deal, scored)
        for seat, added in enumerate(self._points_of(deal, scored)):
            if deal.points[seat] != added:
                raise Contradiction(f"seat {seat} got {deal.points[seat]} points there, but the hands give it {added}")
            self.points[seat] += added or 0
        self._count_turns(deal, scored)
        self._go_on(scored)

    def _check_hands(self, deal: PastDeal, scored: Sequence[int]) -> None:
        if len(scored) < 2:
            raise Contradiction("fewer than two hands are shown, so the match was over")
        if strangers := set(scored).difference(self.live):
            raise Contradiction(f"seat {min(strangers)} has a hand, but was out before")
        for seat in scored:
            hand = deal.hands[seat] or b""
            if not 1 <= len(hand) <= self._variant.hand_size:
                raise Contradiction(f"seat {seat} has a hand of {len(hand)} cards")
            if deal.totals[seat] != total(hand):
                raise Contradiction(f"the hand of seat {seat} has the total {total(hand)}, not {deal.totals[seat]}")
        for card, times in Counter(b"".join(hand or b"" for hand in deal.hands)).items():
            if times > self._variant.decks:
                raise Contradiction(f"{card_name(card)} is there {times} times, and decks is {self._variant.decks}")

    def _points_of(self, deal: PastDeal, scored: Sequence[int]) -> tuple[int | None, ...]:
        """Return the points that the hands of a deal give by seat."""
        declarer = deal.declarer
        if deal.end is DealEnd.SHOWDOWN and declarer is None:
            return points_of_showdown(deal.totals)
        if deal.end is DealEnd.DECLARED and declarer is not None and declarer in scored:
            return points_of_declaration(deal.totals, declarer, self._variant)
        who = "nobody" if declarer is None else f"seat {declarer}"
        raise Contradiction(f"its end is {deal.end.value}, and its declarer {who}")

    def _count_turns(self, deal: PastDeal, scored: Sequence[int]) -> None:
        """Count the turns: all seats had the first lap, and those that forfeited since perhaps only that."""
        began, laps = len(self.live), self._variant.lap_cap
        forfeited = began - len(scored)
        self.least_turns += began + 1 if deal.end is DealEnd.DECLARED else len(scored) * laps + forfeited
        self.most_turns += began * laps

    def _go_on(self, scored: Sequence[int]) -> None:
        most, seats = most_points(self._variant), len(self.points)
        self.live = tuple(seat for seat in scored if self.points[seat] <= most)
        if ending := ending_of(self._variant, self._deals, len(scored), len(self.live)):
            raise Contradiction(f"the match was over then ({ending.value})")
        self._deals += 1
        self.starter = turn_order(self.live, self.starter + 1, seats)[0]
