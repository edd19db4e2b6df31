"""Whether a match can have a turn: the deal is played again from what is public, by the rules themselves, and must lead
to what the seat is shown."""

from typing import Self

from arena.game.actions import Play
from arena.game.cards import DECKS, NAME, NAMES, ONE, Card, card_name, card_names, fold
from arena.game.changes import evolve
from arena.game.errors import Contradiction, IllegalAction
from arena.game.events import Dealt, Events, Played
from arena.game.history import PublicEvent, PublicForfeit, PublicPlay
from arena.game.possible_past import check_past
from arena.game.rules import decide, decide_forfeit
from arena.game.state import State
from arena.game.view import Observation, PublicView, SeatView, public_view


def check_possible(seen: Observation, turn: int) -> None:
    """Check that a match can come to this turn, its `turn`-th from 0, by a variant that so many seats can play.

    One turn passes that no match has: that of a table without closed and dead cards, which the rules know, too.

    Raises:
        Contradiction: what the seat is shown does not fit together; the message says what.
    """
    public = seen.public
    forfeited = {event.seat for event in public.events if isinstance(event, PublicForfeit)}
    live = tuple(seat for seat, shown in enumerate(public.seats) if not shown.out or seat in forfeited)
    check_past(public, live, turn)
    deal = _Deal(public, live)
    for number, event in enumerate(public.events):
        try:
            deal.happen(event)
        except Contradiction as error:
            raise Contradiction(f"events[{number}] cannot be: {error}") from None
    if seen.seat != deal.state.seat:
        raise Contradiction(
            f"seat {seen.seat} is asked, but after these events it is the turn of seat {deal.state.seat}"
        )
    _check_shown(public, public_view(deal.state))
    try:
        deal.give(seen.seat, seen.hand)
    except Contradiction as error:
        raise Contradiction(f"hand cannot be: {error}") from None


def _check_shown(shown: PublicView, left: PublicView) -> None:
    """Check what is shown of the table against what the events leave."""
    for seat, (said, found) in enumerate(zip(shown.seats, left.seats, strict=True)):
        _check_seat(seat, said, found)
    if sorted(shown.open) != sorted(left.open):
        raise Contradiction(f"open is {_cards(shown.open)}, but the cards to take from are {_cards(left.open)}")
    if shown.may_declare != left.may_declare:
        lap = "nobody may in the first lap" if shown.may_declare else "the first lap is played"
        raise Contradiction(f"may_declare is {_flag(shown.may_declare)}, but {lap}")
    if shown.closed_count == 0 and not shown.may_take_closed:
        return
    if shown.closed_count != left.closed_count:
        raise Contradiction(f"closed_count is {shown.closed_count}, but {left.closed_count} cards are left there")
    if shown.may_take_closed != left.may_take_closed:
        raise Contradiction("may_take_closed is false, but there are closed or dead cards")


def _check_seat(seat: int, said: SeatView, found: SeatView) -> None:
    if said.out != found.out:
        raise Contradiction(f"seat {seat} forfeited, but is not out")
    if said.cards != found.cards:
        raise Contradiction(f"seat {seat} has {said.cards} cards, but hand_size and events leave it {found.cards}")


class _Deal:
    """A deal that could have been: what nobody has seen lies anywhere, and changes places when it must be elsewhere."""

    def __init__(self, public: PublicView, live: tuple[int, ...]) -> None:
        """Deal to the live seats; nothing of it is shown but the upcard."""
        variant, upcard, seats = public.variant, public.upcard, len(public.seats)
        if variant.upcard != (upcard is not None):
            raise Contradiction(f"there is {'no' if variant.upcard else 'an'} upcard, against the variant")
        self.shown = set() if upcard is None else {upcard}
        """The cards of which all know where they are."""
        self._deck = DECKS[variant.decks]
        hidden = self._deck.translate(None, bytes(self.shown))
        hands: list[bytes | None] = [None] * seats
        for seat in live:
            hands[seat], hidden = hidden[: variant.hand_size], hidden[variant.hand_size :]
        self.state = State(variant, seats, _Anything(self._deck))
        self.state.points[:] = [seat.points for seat in public.seats]
        evolve(self.state, (Dealt(public.deal, public.starter, tuple(hands), upcard),))

    def happen(self, event: PublicEvent) -> None:
        """Let happen what the table saw. Raises Contradiction when it cannot."""
        state = self.state
        if event.seat != state.seat:
            raise Contradiction(f"seat {event.seat} acts, but it is the turn of seat {state.seat}")
        if isinstance(event, PublicForfeit):
            self._apply(decide_forfeit(state))
            return
        self.give(event.seat, event.discard)
        state.draws = [0] * state.seats  # cards have changed places, so those before may have come back
        try:
            events = decide(state, Play(event.discard, event.taken))
        except IllegalAction as error:
            raise Contradiction(f"the play of {_cards(event.discard)} is illegal: {error}") from None
        self._show(event, events)
        self._apply(events)

    def give(self, seat: int, names: bytes) -> None:
        """Let the seat hold these cards; they change places with others that nobody has seen. Raises Contradiction."""
        hand = self.state.hands[seat] or b""
        meant: list[Card] = []
        wanted: list[Card] = []
        for name in names:
            copies = [card for card in hand if NAME[card] == name and card not in meant]
            if copies:
                meant.append(max(copies, key=self.shown.__contains__))
            else:
                wanted.append(name)
        spare = [card for card in hand if card not in self.shown and card not in meant]
        for name in wanted:
            hidden = [
                card for card in self._deck if NAME[card] == name and card not in self.shown and card not in meant
            ]
            if not hidden:
                raise Contradiction(f"{card_name(name)} lies elsewhere, or is there too often")
            if not spare:
                known = bytes(sorted(fold(bytes(card for card in hand if card in self.shown))))
                raise Contradiction(
                    f"{card_name(name)} is too much beside {_cards(known)}, which seat {seat} took openly"
                )
            meant.append(hidden[0])
            self._swap(spare.pop(), hidden[0])

    def _swap(self, one: Card, other: Card) -> None:
        """Let two cards that nobody has seen change places."""
        state = self.state
        swapped = bytes.maketrans(ONE[one] + ONE[other], ONE[other] + ONE[one])
        state.hands = [hand and hand.translate(swapped) for hand in state.hands]
        state.closed, state.dead = state.closed.translate(swapped), state.dead.translate(swapped)

    def _show(self, event: PublicPlay, events: Events) -> None:
        """Note what a play shows, and that cards of a refill are unseen again."""
        played = events[0]
        assert isinstance(played, Played)
        if len(played.refilled) != event.refilled:
            raise Contradiction(
                f"refilled is {event.refilled}, but {len(played.refilled)} cards go into the closed deck"
            )
        kept = set(self.state.hands[event.seat] or b"").difference(played.discard)
        twins = {(card + NAMES) % (2 * NAMES) for card in set(played.discard) - self.shown}
        self.shown -= kept & twins  # it may be the copy taken openly that went: nobody knows of the other
        self.shown |= set(played.discard)
        self.shown -= set(played.refilled)

    def _apply(self, events: Events) -> None:
        if len(events) > 1:
            raise Contradiction("the deal ends with it, so nobody is asked in this deal any more")
        evolve(self.state, events)


class _Anything:
    """A source of chance of which only the number of cards matters: the same order always."""

    def __init__(self, deck: bytes) -> None:
        self._deck = deck

    def cards(self, _: int, /) -> bytes:
        """Return the deck."""
        return self._deck

    def order(self, _deal: int, _stream: str, _refill: int, /) -> Self:
        """Return the order."""
        return self


def _cards(cards: bytes) -> str:
    return card_names(cards) or "nothing"


def _flag(value: bool) -> str:
    return "true" if value else "false"
