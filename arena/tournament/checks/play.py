"""Whether a match went as the rules have it: it is played again from its seed, with the recorded actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from arena.game.actions import Action, Declare, Play
from arena.game.cards import card_name, parse_card
from arena.game.chance import SeededChance
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.events import DealEnded, Dealt, Events, Played
from arena.game.rules import decide, decide_forfeit, evolve, new_match, substitute
from arena.game.state import State
from arena.tournament.checks.derivation import Rules
from arena.tournament.checks.report import Report, show
from arena.tournament.checks.shape import Deal, DeclareTurn, ForfeitTurn, Match, PlayTurn, Turn

T = TypeVar("T")

_FIELD_OF_REASON = {
    IllegalReason.CARD_NOT_OPEN: "take",
    IllegalReason.CLOSED_DECK_EMPTY: "take",
    IllegalReason.DECLARE_ON_FIRST_TURN: "action",
}
"""Which field breaks the rule; `discard` for all other reasons."""


def check_play(match: Match, rules: Rules, where: str, report: Report) -> None:
    """Play a match again and compare every card, turn and result; stops at the first turn that cannot be played."""
    Replay(match, rules, where, report).run()


class Replay:
    """One match on its way: the state that the rules have reached, and the strikes of each seat."""

    def __init__(self, match: Match, rules: Rules, where: str, report: Report) -> None:
        self._match = match
        self._where = where
        self._report = report
        self._strikes = [0] * len(match.seats)
        self._most_strikes = rules.limits.strikes
        chance = SeededChance(bytes.fromhex(match.seed), rules.variant.decks)
        self._state: State = new_match(rules.variant, len(match.seats), chance)

    def run(self) -> None:
        """Go through all deals, then compare how the match ended."""
        match, report, where = self._match, self._report, self._where
        for number, deal in enumerate(match.deals):
            if self._state.outcome is not None:
                what = f"are {len(match.deals)}, but the match was over after deal {number - 1}"
                report.problem(where, "deals", what)
                break
            if not self._deal(deal, f"{where}, deal {number}"):
                return
        outcome = self._state.outcome
        if outcome is None:
            report.problem(where, "deals", f"are only {len(match.deals)}, but the match is not over by then")
            return
        because = "from the deals before"
        report.expect(where, "places", match.places, list(outcome.places), because)
        report.expect(where, "points", match.points, list(outcome.points), because)
        report.expect(where, "ending", match.ending, outcome.ending.name, because)

    def _deal(self, deal: Deal, where: str) -> bool:
        """Check one deal; False when the match cannot be followed any further."""
        if self._state.dealt is not None:
            self._dealt(deal, self._state.dealt, where)
        ended: DealEnded | None = None
        for number, turn in enumerate(deal.turns):
            if ended is not None:
                self._report.problem(
                    where, "turns", f"are {len(deal.turns)}, but the deal ended with turn {number - 1}"
                )
                break
            events = self._turn(turn, f"{where}, turn {number}")
            if events is None:
                return False
            evolve(self._state, events)
            ended = next((event for event in events if isinstance(event, DealEnded)), None)
        if ended is None:
            what = f"are only {len(deal.turns)}, but the deal goes on with seat {self._state.seat}"
            self._report.problem(where, "turns", what)
            return False
        self._ended(deal, ended, where)
        return True

    def _dealt(self, deal: Deal, dealt: Dealt, where: str) -> None:
        report = self._report
        report.expect(where, "starter", deal.starter, dealt.starter)
        upcard = None if dealt.upcard is None else card_name(dealt.upcard)
        report.expect(where, "upcard", deal.upcard, upcard, "from seed")
        hands = by_seat([None if hand is None else names(hand) for hand in dealt.hands])
        self._compare("hands", deal.hands, hands, where, "from seed")

    def _ended(self, deal: Deal, ended: DealEnded, where: str) -> None:
        self._report.expect(where, "end", deal.end, ended.end.name.lower(), "from turns")
        because = "from the hands, the discards and the cards taken in the deal"
        self._compare("totals", deal.totals, by_seat(ended.totals), where, because)
        self._compare("points", deal.points, by_seat(ended.points), where, "from totals and who declared")

    def _compare(self, field: str, found: Mapping[str, T], expected: Mapping[str, T], where: str, because: str) -> None:
        """Compare what seats have, seat by seat."""
        if set(found) != set(expected):
            what = f"are given for seats {show(sorted(found))}, expected for {show(sorted(expected))}, those still in"
            self._report.problem(where, field, what)
        for seat, value in expected.items():
            if seat in found:
                self._report.expect(where, f"{field}.{seat}", found[seat], value, because)

    def _turn(self, turn: Turn, where: str) -> Events | None:
        """Check one turn; returns what it brings by the rules, None when they do not allow it."""
        seat = self._state.seat
        self._report.expect(where, "seat", turn.seat, seat)
        if turn.fault is None:
            return self._own_action(turn, where)
        self._strikes[seat] += 1
        strikes = self._strikes[seat]
        self._report.expect(where, "fault.strike", turn.fault.strike, strikes, "one more than the seat's faults before")
        if strikes >= self._most_strikes:
            because = f"fault {strikes} of {self._most_strikes} strikes forfeits"
            self._report.expect(where, "action", turn.action, "forfeit", because)
            return decide_forfeit(self._state)
        return self._substituted(turn, where)

    def _own_action(self, turn: Turn, where: str) -> Events | None:
        """A turn without a fault: whatever the rules allow."""
        if isinstance(turn, ForfeitTurn):
            self._report.problem(where, "action", 'is "forfeit", but fault is null, and only the last strike forfeits')
            return None
        action = Declare() if isinstance(turn, DeclareTurn) else _play(turn)
        return self._decided(turn, action, where)

    def _substituted(self, turn: Turn, where: str) -> Events | None:
        """A turn with a fault: exactly what the arena plays for a bot."""
        action = substitute(self._state)
        if not isinstance(turn, PlayTurn):
            what = f'is {show(turn.action)}, expected "play": after a fault that is not the last strike the arena plays'
            self._report.problem(where, "action", what)
            return None
        because = "what the arena plays after a fault"
        take = "closed" if action.take is None else card_name(action.take)
        self._report.expect(where, "discard", turn.discard, names(action.discard), because)
        self._report.expect(where, "take", turn.take, take, because)
        return self._decided(turn, action, where)

    def _decided(self, turn: Turn, action: Action, where: str) -> Events | None:
        """Let the rules judge an action, and compare what it brought."""
        state = self._state
        try:
            events = decide(state, action)
        except IllegalAction as illegal:
            self._illegal(turn, illegal.reason, where)
            return None
        played = events[0]
        if isinstance(turn, PlayTurn) and isinstance(played, Played):
            self._report.expect(where, "discard", turn.discard, names(played.discard), "in the order of the deck")
            because = f"take is {show(turn.take)}"
            self._report.expect(where, "card", turn.card, card_name(played.card), because)
        return events

    def _illegal(self, turn: Turn, reason: IllegalReason, where: str) -> None:
        field = _FIELD_OF_REASON.get(reason, "discard")
        hand = self._state.hands[self._state.seat] or b""
        told = {
            "take": f"open is the last discard, {show(names(self._state.open))}",
            "discard": f"the hand is {show(names(hand))}",
            "action": "it is the seat's first turn",
        }[field]
        value = show(getattr(turn, field))
        what = f"is {value}, which is illegal: {reason.name}, {told}; the rest of the match cannot be followed"
        self._report.problem(where, field, what)


def _play(turn: PlayTurn) -> Play:
    return Play(bytes(map(parse_card, turn.discard)), None if turn.take == "closed" else parse_card(turn.take))


def names(cards: bytes) -> list[str]:
    """Cards as the export writes them."""
    return [card_name(card) for card in cards]


def by_seat(values: Sequence[T | None]) -> dict[str, T]:
    """What seats have, under their decimal numbers; a seat without has no key."""
    return {str(seat): value for seat, value in enumerate(values) if value is not None}
