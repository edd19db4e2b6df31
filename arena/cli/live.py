"""How a tournament stands while it is played, in a few words."""

from __future__ import annotations

import time

from arena.cli.leader import Leader
from arena.tournament.formats import FORMATS
from arena.tournament.formats.ab import AB, standing
from arena.tournament.formats.informed import INFORMED, answer
from arena.tournament.planning import grows, setting
from arena.tournament.ports import BlockResult, Ledger, Tournament
from arena.tournament.rounds import Round

SHARE = 20
"""Looking takes at most one part in so many of the time, whatever a look costs."""


class Live:
    """Looks at the results every now and then."""

    def __init__(self, tournament: Tournament, ledger: Ledger, leader: Leader) -> None:
        self._tournament = tournament
        self._ledger = ledger
        self._leader = leader
        self._words = ""
        self._next = 0.0

    def hear(self, result: BlockResult) -> None:
        """Take in a block that was stored."""
        self._leader.hear(result)

    def words(self) -> str:
        """How it stands, for a column on the screen and a moment old."""
        began = time.monotonic()
        if began >= self._next:
            self._words = self._look()
            self._next = began + max(0.5, SHARE * (time.monotonic() - began))
        return self._words

    def line(self) -> str:
        """How it stands after a round, in the words of its format."""
        tournament, rounds = self._tournament, self._rounds()
        gone = self._ledger.withdrawn(tournament.id)
        said = FORMATS[tournament.format].closing(setting(tournament, gone), rounds)
        return said or f"Round {len(rounds)} was played."

    def _look(self) -> str:
        if not grows(self._tournament):
            return self._leader.words()
        rounds, asked = self._rounds(), setting(self._tournament)
        if self._tournament.format == AB.name and (found := standing(asked, rounds)).llr is not None:
            return f"LLR {found.llr:+.2f} [{found.lower:+.2f} {found.upper:+.2f}]"
        if self._tournament.format == INFORMED.name and (told := answer(asked, rounds)) is not None:
            return f"{told.told_apart.sum()} of {told.told_apart.size} sure"
        return f"round {max(1, len(rounds))}"

    def _rounds(self) -> tuple[Round, ...]:
        return self._ledger.rounds(self._tournament.id)
