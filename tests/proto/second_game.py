"""The game as `arena/game/README.md` describes it: follows the deals of a recorded match and judges them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import shake_256

from tests.proto.second_form import FAULT, NAMES, TURNS, Document, at, expect, fit, require

# Chance


def words(origin: bytes) -> Iterator[int]:
    """The 32-bit words of SHAKE-256, without end."""
    done, size = 0, 512
    while True:
        data = shake_256(origin).digest(size)
        yield from (int.from_bytes(data[place : place + 4]) for place in range(done, size, 4))
        done, size = size, 2 * size


def shuffled(count: int, origin: bytes) -> list[int]:
    order, source = list(range(count)), words(origin)
    for i in range(count):
        left = count - i
        r = next(word for word in source if word < 2**32 - 2**32 % left) % left
        order[i], order[i + r] = order[i + r], order[i]
    return order


# Cards


def value(card: int) -> int:
    return min(card % 13 + 1, 10)


def names(cards: Iterable[int]) -> list[str]:
    return [NAMES[card % 52] for card in cards]


@lru_cache(maxsize=256)
def order(seed: bytes, decks: int, deal: int, stream: str, refill: int) -> tuple[int, ...]:
    """All cards, as places in the canonical order, in the order of a stream."""
    return tuple(shuffled(52 * decks, f"least-score/v1/deal/{deal}/{stream}/{refill}/".encode() + seed))


def picked(wanted: list[str], cards: list[int], reason: str) -> list[int]:
    """The cards of these names, lower copies first, in canonical order."""
    rest, found = sorted(cards), []
    for name in wanted:
        require(name in names(rest), f"{reason}: {name}")
        found.append(rest.pop(names(rest).index(name)))
    return sorted(found)


# Rules


def check_variant(variant: Document, seats: int) -> None:
    decks = variant["decks"]
    allowed = {
        "decks": decks in (1, 2),
        "number of seats": 2 <= seats <= (10 if decks == 2 else 8),
        "hand_size": variant["hand_size"] >= 1 and 52 * decks - variant["hand_size"] * seats - 1 >= 1,
        "lap_cap": variant["lap_cap"] >= 2,
        "threshold": variant["threshold"] > 0 or variant["deal_cap"] > 0,
    }
    for what, is_allowed in allowed.items():
        require(is_allowed, f"the variant is refused for its {what}")


def is_set(cards: list[int], held: int, mixed_pairs: bool) -> bool:
    """Whether these cards of a hand of `held` are a single card, a pair, two pairs, a run or a flush."""
    ranks = [card % 13 for card in cards]
    alike = sorted(Counter(ranks).values())
    orders = (sorted(ranks), sorted(rank or 13 for rank in ranks))
    is_run = any(len({rank - place for place, rank in enumerate(order)}) == 1 for order in orders)
    match len(cards):
        case 1:
            return True
        case 2 | 4:
            return len(alike) == 1 or (mixed_pairs and alike == [2, 2])
        case 3:
            return is_run
        case 5:
            return is_run or (held == 5 and len({card % 52 // 13 for card in cards}) == 1)
    return False


def scored(hands: dict[int, list[int]], declarer: int | None, variant: Document) -> tuple[dict[int, int], ...]:
    """Each seat's total and what the deal adds to its points; without a declarer it was a showdown."""
    totals = {seat: sum(map(value, hand)) for seat, hand in hands.items()}
    lowest = min(totals.values())
    above = {seat: own - lowest for seat, own in totals.items()}
    tied = list(above.values()).count(0) > 1
    if declarer is None or (above[declarer] == 0 and (variant["tie_holds"] or not tied)):
        return totals, above
    return totals, dict.fromkeys(totals, 0) | {declarer: variant["penalty"] + above[declarer]}


# Turns


class Table:
    """A match in progress: who is in, and with what points and faults."""

    def __init__(self, match: Document) -> None:
        self.variant: Document = match["variant"]
        self.seed = bytes.fromhex(match["seed"])
        self.most_strikes: int = match["limits"]["strikes"]
        self.seats = len(match["seats"])
        self.live = set(range(self.seats))
        self.points = [0] * self.seats
        self.strikes = [0] * self.seats
        self.knocked_out: dict[int, int] = {}

    def after(self, seat: int) -> int:
        """The next live seat clockwise."""
        return min(self.live, key=lambda other: (other - seat - 1) % self.seats)


class Deal:
    """A deal in progress: where its cards are, and whose turn it is."""

    def __init__(self, table: Table, number: int, starter: int) -> None:
        self.table, self.number, self.starter, self.seat = table, number, starter, starter
        self.laps = self.refills = 0
        self.end = ""
        self.declarer: int | None = None
        self.closed = set(range(52 * table.variant["decks"]))
        self.dead: list[int] = []
        self.hands: dict[int, list[int]] = {}
        for seat in sorted(table.live, key=self.distance):
            self.hands[seat] = [self.draw(str(seat)) for _ in range(table.variant["hand_size"])]
        self.open = [self.draw("table")] if table.variant["upcard"] else []

    def distance(self, seat: int) -> int:
        """Steps clockwise from the starter's chair."""
        return (seat - self.starter) % self.table.seats

    def draw(self, stream: str) -> int:
        cards = order(self.table.seed, self.table.variant["decks"], self.number, stream, self.refills)
        card = next(card for card in cards if card in self.closed)
        self.closed.remove(card)
        return card

    def turn(self, turn: Document) -> None:
        """Check a turn and carry it out."""
        require(not self.end, "the deal is over")
        fit(turn.get("action"), frozenset(TURNS), "action")
        fit(turn, TURNS[turn["action"]], "a turn")
        expect(turn["seat"], self.seat, "seat")
        self.check_fault(turn)
        if turn["action"] == "declare":
            require(self.laps > 0, "DECLARE_ON_FIRST_TURN")
            self.end, self.declarer = "declared", self.seat
            return
        if turn["action"] == "play":
            self.play(turn)
        else:
            self.dead += self.hands.pop(self.seat)
            self.table.live.remove(self.seat)
        self.pass_on()

    def check_fault(self, turn: Document) -> None:
        """A turn with a fault is the arena's own, and the last strike is a forfeit."""
        fault = turn["fault"]
        if fault is None:
            require(turn["action"] != "forfeit", "a forfeit without a fault")
            return
        fit(fault, FAULT, "fault")
        self.table.strikes[self.seat] += 1
        strike = self.table.strikes[self.seat]
        expect(fault["strike"], strike, "strike")
        expect(turn["action"], "forfeit" if strike == self.table.most_strikes else "play", "action after a fault")
        if turn["action"] == "play":
            highest = max(self.hands[self.seat], key=lambda card: (value(card), card % 52))
            lowest = min(self.open, key=lambda card: (value(card), card % 52), default=0)
            expect(turn["discard"], names([highest]), "discard after a fault")
            expect(turn["take"], "closed" if self.closed or self.dead else NAMES[lowest % 52], "take after a fault")

    def play(self, turn: Document) -> None:
        hand = self.hands[self.seat]
        require(bool(turn["discard"]), "EMPTY_DISCARD")
        discard = picked(turn["discard"], hand, "CARD_NOT_HELD")
        expect(turn["discard"], names(discard), "discard in canonical order")
        require(is_set(discard, len(hand), self.table.variant["mixed_pairs"]), f"NOT_A_SET: {turn['discard']!a:.100}")
        card = self.take_closed() if turn["take"] == "closed" else picked([turn["take"]], self.open, "CARD_NOT_OPEN")[0]
        expect(turn["card"], NAMES[card % 52], "card")
        self.dead += [other for other in self.open if other != card]
        self.open = discard
        self.hands[self.seat] = [other for other in hand if other not in discard] + [card]

    def take_closed(self) -> int:
        if not self.closed:
            require(bool(self.dead), "CLOSED_DECK_EMPTY")
            self.closed, self.dead = set(self.dead), []
            self.refills += 1
        return self.draw(str(self.seat))

    def pass_on(self) -> None:
        """On to the next seat, unless a forfeit or the last lap ends the deal."""
        if len(self.table.live) == 1:
            self.end = "forfeit"
            return
        before, self.seat = self.seat, self.table.after(self.seat)
        self.laps += self.distance(self.seat) <= self.distance(before)
        if self.laps == self.table.variant["lap_cap"]:
            self.end = "showdown"


# Results


def check_deal(table: Table, number: int, starter: int, recorded: Document) -> str:
    """Play a deal as it is recorded and score it; the ending of the match, if this was its last deal."""
    deal = Deal(table, number, starter)
    expect(recorded["starter"], starter, "starter")
    expect(recorded["hands"], {str(seat): names(hand) for seat, hand in deal.hands.items()}, "hands")
    expect(recorded["upcard"], NAMES[deal.open[0] % 52] if deal.open else None, "upcard")
    for place, turn in enumerate(recorded["turns"]):
        with at(f"turn {place}"):
            deal.turn(turn)
    expect(recorded["end"], deal.end, "end")
    totals, points = ({}, {}) if deal.end == "forfeit" else scored(deal.hands, deal.declarer, table.variant)
    expect(recorded["totals"], {str(seat): own for seat, own in totals.items()}, "totals")
    expect(recorded["points"], {str(seat): own for seat, own in points.items()}, "points")
    for seat, own in points.items():
        table.points[seat] += own
    return "FORFEIT" if deal.end == "forfeit" else ending_after(table, number)


def ending_after(table: Table, number: int) -> str:
    """Knock out who crossed the threshold in deal `number`; the ending of the match, if it ends."""
    least = table.variant["threshold"] + (table.variant["crossing"] == "BEYOND")
    crossed = {seat for seat in table.live if table.variant["threshold"] and table.points[seat] >= least}
    table.knocked_out |= dict.fromkeys(crossed, number)
    table.live -= crossed
    if crossed and table.variant["finish"] == "FIRST_OUT":
        return "FIRST_OUT"
    if len(table.live) == 1:
        return "LAST_STANDING"
    return "DEAL_CAP" if number + 1 == table.variant["deal_cap"] else ""


def places(table: Table, ending: str) -> list[int]:
    def standing(seat: int) -> tuple[int, int, int]:
        if seat in table.live or (seat in table.knocked_out and ending == "FIRST_OUT"):
            return 0, 0, table.points[seat]
        if seat in table.knocked_out:
            return 1, -table.knocked_out[seat], table.points[seat]
        return 2, 0, 0

    standings = [standing(seat) for seat in range(table.seats)]
    return [1 + sum(other < own for other in standings) for own in standings]


def check_play(match: Document) -> None:
    """Points 7 to 9."""
    table = Table(match)
    starter, ending = -1, ""
    for number, deal in enumerate(match["deals"]):
        with at(f"deal {number}"):
            require(not ending, "the match is over")
            starter = table.after(starter)
            ending = check_deal(table, number, starter, deal)
    require(bool(ending), "the match has no end")
    expect(match["ending"], ending, "ending")
    expect(match["points"], table.points, "points")
    expect(match["places"], places(table, ending), "places")
