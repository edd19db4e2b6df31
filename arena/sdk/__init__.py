"""All that a bot in Python needs: write `choose(observation) -> Play | Declare` and hand it to `serve`.

    from arena.sdk import Declare, Play, serve, total

    def choose(observation):
        if observation.may_declare and observation.total <= 5:
            return Declare()
        return Play(max(observation.legal_discards(), key=total), take=None)

    serve(choose)

May import `arena.wire.v1`, `arena.analysis` and `arena.game` only, so that a bot sees the contract, the rules and what
can be thought about them, and nothing else of the arena. `observation.py` is what a bot sees, `server.py` how it is
asked.
"""

from arena.analysis.beliefs import Holding, holdings, total_chances
from arena.analysis.counting import Counts, without
from arena.game.actions import Action, Declare, Play
from arena.game.cards import RANK, SUIT, VALUE, Card, card_name, card_names, parse_card, parse_cards, total
from arena.game.discards import legal_discards
from arena.game.history import PastDeal, PublicForfeit, PublicPlay
from arena.game.variant import Crossing, Finish, Variant
from arena.game.view import SeatView
from arena.sdk.observation import Observation
from arena.sdk.server import Conclusion, serve

__all__ = [
    "RANK",
    "SUIT",
    "VALUE",
    "Action",
    "Card",
    "Conclusion",
    "Counts",
    "Crossing",
    "Declare",
    "Finish",
    "Holding",
    "Observation",
    "PastDeal",
    "Play",
    "PublicForfeit",
    "PublicPlay",
    "SeatView",
    "Variant",
    "card_name",
    "card_names",
    "holdings",
    "legal_discards",
    "parse_card",
    "parse_cards",
    "serve",
    "total",
    "total_chances",
    "without",
]
