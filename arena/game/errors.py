"""What can be wrong with a request to the rules.

GameError
├── VariantError     the organiser's: these rules cannot be played
├── IllegalAction    the player's: the action breaks a rule; `reason` says which
├── MatchOver        the caller's: the match has ended, nobody may act
└── Contradiction    the writer's: what a seat is shown comes up in no match
"""

from enum import Enum


class IllegalReason(Enum):
    """Why an action is illegal: a closed vocabulary, in the order in which it is judged. Each value is its name."""

    EMPTY_DISCARD = "EMPTY_DISCARD"
    CARD_NOT_HELD = "CARD_NOT_HELD"
    NOT_A_SET = "NOT_A_SET"
    CARD_NOT_OPEN = "CARD_NOT_OPEN"
    CLOSED_DECK_EMPTY = "CLOSED_DECK_EMPTY"
    DECLARE_ON_FIRST_TURN = "DECLARE_ON_FIRST_TURN"


_TEXTS = {
    IllegalReason.EMPTY_DISCARD: "a play discards at least one card",
    IllegalReason.CARD_NOT_HELD: "the discard holds a card that is not in the hand, or one more often than it is there",
    IllegalReason.NOT_A_SET: "the discarded cards are no single card, pair of one rank, two pairs of one rank (of "
    "different ranks only with `mixed_pairs`), run of 3 or 5, or flush of 5",
    IllegalReason.CARD_NOT_OPEN: "the card to take is not one of the open cards",
    IllegalReason.CLOSED_DECK_EMPTY: "closed deck and dead cards are empty: an open card must be taken",
    IllegalReason.DECLARE_ON_FIRST_TURN: "a seat may not declare on its first turn of a deal",
}


class GameError(Exception):
    """The root of all errors that the rules raise on purpose."""


class VariantError(GameError):
    """A variant that cannot be played, or a mapping that is no variant; the message names field and remedy."""


class IllegalAction(GameError):  # noqa: N818 — reads as what it is, like MatchOver
    """An action against the rules; the state has not changed. `reason` is the rule it breaks."""

    def __init__(self, reason: IllegalReason) -> None:
        super().__init__(_TEXTS[reason])
        self.reason = reason


class MatchOver(GameError):  # noqa: N818
    """Somebody was to act in a match that has ended."""

    def __init__(self) -> None:
        super().__init__("the match is over: nobody may act; `State.outcome` says how it ended")


class Contradiction(GameError):  # noqa: N818
    """What a seat is shown does not fit together, so no match has this turn; the message is the first reason found."""
