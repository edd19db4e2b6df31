"""Which discards are legal (rule 3): one table of rank patterns judges a discard and enumerates those of a hand."""

from collections import Counter
from enum import Enum
from itertools import combinations, product
from types import MappingProxyType

from arena.game.cards import NAMES, RANK, SUIT
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.variant import Variant


class DiscardKind(Enum):
    """What a legal discard is; five cards that are both a run and a flush are a run. Each value is its name."""

    SINGLE = "SINGLE"
    PAIR = "PAIR"
    TWO_PAIRS = "TWO_PAIRS"
    RUN = "RUN"
    FLUSH = "FLUSH"


def _patterns(mixed_pairs: bool) -> dict[bytes, DiscardKind]:
    """Return the sorted ranks of all legal discards but flushes."""
    ranks = range(13)
    kinds = {bytes([rank]): DiscardKind.SINGLE for rank in ranks}
    kinds |= {bytes([rank] * 2): DiscardKind.PAIR for rank in ranks}
    kinds |= {bytes([rank] * 4): DiscardKind.TWO_PAIRS for rank in ranks}
    if mixed_pairs:
        kinds |= {bytes([low, low, high, high]): DiscardKind.TWO_PAIRS for low, high in combinations(ranks, 2)}
    ladder = bytes([*ranks, 0])  # the ace is low or high, and no run wraps around it
    for length in (3, 5):
        for start in range(len(ladder) - length + 1):
            kinds[bytes(sorted(ladder[start : start + length]))] = DiscardKind.RUN
    return kinds


_KINDS = {mixed_pairs: MappingProxyType(_patterns(mixed_pairs)) for mixed_pairs in (False, True)}
_NEEDED = {
    mixed_pairs: tuple((frozenset(pattern), tuple(Counter(pattern).items())) for pattern in kinds)
    for mixed_pairs, kinds in _KINDS.items()
}
"""The ranks that each pattern needs, and how many cards of each."""

_ONE_SUIT = frozenset(bytes([suit] * 5) for suit in range(4))

# Hands are enumerated in this order of cards: by rank, then suit; it also folds the copies of a second deck.
_BY_RANK = bytes(card % NAMES % 13 * 4 + card % NAMES // 13 for card in range(256))
_NAME_BY_RANK = bytes(place % 4 * 13 + place // 4 % 13 for place in range(256))
_RANK_BY_RANK = bytes(place // 4 % 13 for place in range(256))

_END = b"\xff"
"""Stands after a discard in a list of them; a hand has no such place, and a deck no such card."""
_FILLED = bytes(range(256))

_LONGEST_KEPT = 5
_kept: dict[bool, dict[bytes, bytes]] = {False: {}, True: {}}
"""Answers of `_places` for hands of usual length; equal answers are one object, so that all of them stay at hand."""

_same: dict[bytes, bytes] = {}


def check_discard(hand: bytes, discard: bytes, variant: Variant) -> DiscardKind:
    """Return what kind of legal discard the named cards are, for a seat that holds `hand` (actual cards).

    Raises:
        IllegalAction: they are none (EMPTY_DISCARD, CARD_NOT_HELD or NOT_A_SET).
    """
    if not discard:
        raise IllegalAction(IllegalReason.EMPTY_DISCARD)
    if variant.decks == 2:
        lowest_copies(hand, discard)
    elif discard not in hand and len(hand) - len(hand.translate(None, discard)) != len(discard):
        raise IllegalAction(IllegalReason.CARD_NOT_HELD)
    if len(discard) == 1:
        return DiscardKind.SINGLE
    kind = _KINDS[variant.mixed_pairs].get(bytes(sorted(discard.translate(RANK))))
    if kind is not None:
        return kind
    if len(discard) == len(hand) and discard.translate(SUIT) in _ONE_SUIT:
        return DiscardKind.FLUSH
    raise IllegalAction(IllegalReason.NOT_A_SET)


def lowest_copies(cards: bytes, names: bytes) -> bytes:
    """Return which of the `cards` are meant by the names: of each, the copy that is lowest in canonical order.

    Raises:
        IllegalAction: there is no such card, or not as often (CARD_NOT_HELD).
    """
    meant: list[int] = []
    for name in names:
        copies = [card for card in (name, name + NAMES) if name < NAMES and card in cards and card not in meant]
        if not copies:
            raise IllegalAction(IllegalReason.CARD_NOT_HELD)
        meant.append(copies[0])
    return bytes(meant)


def legal_discards(hand: bytes, variant: Variant) -> tuple[bytes, ...]:
    """Return every legal discard of a hand (names or actual cards) as names, each named set of cards once.

    Singles come first, then pairs, two pairs, runs, and the flush; inside a discard cards go by rank, then suit.
    """
    if not hand:
        return ()
    by_rank = bytes(sorted(hand.translate(_BY_RANK)))
    ranks = by_rank.translate(_RANK_BY_RANK)
    names = by_rank.translate(_NAME_BY_RANK)
    places = _kept[variant.mixed_pairs].get(ranks) or _places(ranks, variant.mixed_pairs)
    discards = places.translate(names + _FILLED[len(names) :]).split(_END)
    if len(names) == 5 and names.translate(SUIT) in _ONE_SUIT and ranks not in _KINDS[variant.mixed_pairs]:
        discards.append(names)
    if variant.decks == 2 and len(set(names)) < len(names):
        return tuple(dict.fromkeys(discards))
    return tuple(discards)


def _places(ranks: bytes, mixed_pairs: bool) -> bytes:
    """Return which places of a hand with these sorted ranks form a legal discard that is no flush, split by `_END`."""
    held = frozenset(ranks)
    at = {rank: range(ranks.index(rank), ranks.rindex(rank) + 1) for rank in held}
    found: list[bytes] = []
    for needed, counts in _NEEDED[mixed_pairs]:
        if needed <= held:
            choices = [combinations(at[rank], count) for rank, count in counts]  # none of too few cards
            found.extend([bytes(sum(chosen, ())) for chosen in product(*choices)])
    places = _END.join(found)
    if len(ranks) <= _LONGEST_KEPT:
        places = _kept[mixed_pairs][ranks] = _same.setdefault(places, places)
    return places
