"""Who leads a tournament while it is played: ratings that follow the blocks as they come in."""

from __future__ import annotations

from arena.rating.counts import PairTable
from arena.rating.live import LiveRatings
from arena.store.aggregates import pair_counts
from arena.tournament.labels import harmless
from arena.tournament.ports import BlockResult, Tournament


class Leader:
    """Hears of every block that was stored, and names the bot with the highest rating when asked."""

    def __init__(self, tournament: Tournament, played: PairTable) -> None:
        """`played` is what the blocks before add up to, by the sorted digests of the entries."""
        self._names = {entry.digest: harmless(entry.name) for entry in reversed(tournament.entries)}
        self._ratings = LiveRatings.start(self._names, played)
        self._heard: list[BlockResult] = []

    def hear(self, result: BlockResult) -> None:
        """Take in a block; it is reckoned with when somebody asks."""
        self._heard.append(result)

    def words(self) -> str:
        """Who leads; "" before bots have met. Of bots that never met, the one above the mean of its group by most."""
        pairs = [pair for result in self._heard for pair in pair_counts(result.matches)]
        self._heard.clear()
        self._ratings = self._ratings.after(pairs)
        rated = {bot: rating for bot, rating in self._ratings.ratings().items() if rating is not None}
        return f"{self._names[max(rated, key=rated.__getitem__)]} leads" if rated else ""
