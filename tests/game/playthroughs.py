"""Whole short matches as text: every seat's view after each action, so that a change of the rules shows as a diff.

`python -m tests.game.playthroughs` writes the texts in `golden/` anew; look at the difference before it is kept.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.game.actions import Declare
from arena.game.cards import card_name, card_names
from arena.game.chance import SeededChance, choice_seed
from arena.game.rules import decide, decide_forfeit, evolve, legal_actions, new_match
from arena.game.state import State
from arena.game.variant import Finish, Variant
from arena.game.view import Observation, PastDeal, PublicEvent, PublicPlay, PublicView, observe
from tests.game.tables import SEED

FOLDER = Path(__file__).parent / "golden"


class Playthrough(NamedTuple):
    """A match of so many seats in which the seat to act on these turns forfeits."""

    variant: Variant
    seats: int
    forfeits: tuple[int, ...] = ()


PLAYTHROUGHS = {
    "standard": Playthrough(Variant(threshold=25), 3),
    "two_decks": Playthrough(Variant(decks=2, mixed_pairs=True, upcard=False, lap_cap=4, deal_cap=2), 3),
    "forfeits": Playthrough(Variant(lap_cap=3, deal_cap=3), 4, forfeits=(0, 9, 20)),
    "refill": Playthrough(Variant(hand_size=6, lap_cap=3, deal_cap=1), 8, forfeits=(10,)),
    "first_out": Playthrough(Variant(threshold=12, finish=Finish.FIRST_OUT, tie_holds=False), 4),
}


def text_of(playthrough: Playthrough) -> str:
    return "\n".join(lines_of(playthrough)) + "\n"


def lines_of(playthrough: Playthrough) -> Iterator[str]:
    variant, seats, forfeits = playthrough
    yield " ".join(f"{name}={value}" for name, value in variant.as_dict().items())
    state = new_match(variant, seats, SeededChance(SEED, variant.decks))
    yield f"deal {state.deal} begins"
    yield from views_of(state)
    while state.outcome is None:
        deal, turn, seat = state.deal, state.turn, state.seat
        if turn in forfeits:
            events, action = decide_forfeit(state), "forfeits"
        else:
            legal = list(legal_actions(state))
            chosen = legal[int.from_bytes(choice_seed(SEED, deal, seat, turn), "big") % len(legal)]
            events = decide(state, chosen)
            if isinstance(chosen, Declare):
                action = "declares"
            else:
                took = "closed" if chosen.take is None else card_name(chosen.take)
                action = f"discards {card_names(chosen.discard)} and takes {took}"
        evolve(state, events)
        yield f"turn {turn}: seat {seat} {action}"
        if state.deal > deal:
            yield f"deal {state.deal} begins"
        yield from views_of(state)
    yield f"{state.outcome.ending.value}: places {state.outcome.places}, points {state.outcome.points}"


def views_of(state: State) -> Iterator[str]:
    views = [observe(state, seat) for seat in range(state.seats)]
    for seat, view in enumerate(views):
        if seat == 0 or view.public != views[0].public:
            yield from public_lines(view)
        yield f"  seat {view.seat} holds {card_names(view.hand) or '-'}"


def public_lines(view: Observation) -> Iterator[str]:
    public: PublicView = view.public
    upcard = "-" if public.upcard is None else card_name(public.upcard)
    yield f"  starter {public.starter}, upcard {upcard}, closed {public.closed_count}"
    yield f"  open {card_names(public.open) or '-'}"
    yield f"  may take closed {public.may_take_closed}, may declare {public.may_declare}"
    yield "  seats " + ", ".join(f"{'out' if seat.out else seat.cards} ({seat.points})" for seat in public.seats)
    if public.events:
        yield "  seen " + ", ".join(map(event_text, public.events[-2:])) + f" ({len(public.events)} in all)"
    for past in public.past[-1:]:
        yield from past_lines(past)


def event_text(event: PublicEvent) -> str:
    if not isinstance(event, PublicPlay):
        return f"{event.seat} forfeited"
    taken = "closed" if event.taken is None else card_name(event.taken)
    refilled = f" after a refill of {event.refilled}" if event.refilled else ""
    return f"{event.seat}: {card_names(event.discard)} for {taken}{refilled}"


def past_lines(past: PastDeal) -> Iterator[str]:
    yield f"  last deal {past.end.value} by {past.declarer}: totals {past.totals}, points {past.points}"
    yield "  revealed " + " | ".join("-" if hand is None else card_names(hand) for hand in past.hands)


def write_all() -> None:
    for name, playthrough in PLAYTHROUGHS.items():
        (FOLDER / f"{name}.txt").write_text(text_of(playthrough))


if __name__ == "__main__":
    write_all()
