"""The ratings of stored tournaments: kept in the database when a run ends, and computed anew where that is older."""

from __future__ import annotations

import sqlalchemy as sa

from arena.rating.counts import PairTable
from arena.rating.report import Report, rate
from arena.rating.results import Results
from arena.store.bots import entered_keys
from arena.store.engine import Store
from arena.store.ratings_columns import read_columns, read_pairs, results_of
from arena.store.ratings_history import Mark, history, online_history
from arena.store.ratings_lists import RatingList, list_of, read_anchor, read_list, write_list
from arena.store.ratings_marks import read_marks, write_marks
from arena.store.ratings_quick import ANCHOR_ELO, quick_list
from arena.store.repository import tournament_key
from arena.store.tables import BLOCK
from arena.tournament.ports import BlockState

FEW_BLOCKS = 2_000
"""Of so few blocks, ratings are fitted twenty times in about a tenth of a second."""

MANY_BLOCKS = 20_000
"""Of more blocks, intervals take so long that nobody who only looks should wait for them."""


class Ratings:
    """Rating lists by tournament id. A list is of all finished blocks, or, `clean`, of those without any fault.

    `anchor` is the digest of the bot that is 1500; where it did not enter, the mean is. Failures of the database are
    StoreError, lists that cannot be rated RatingError.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def current(self, tournament: str, anchor: bytes | None, *, clean: bool = False, quick: bool = False) -> RatingList:
        """The list of all blocks that are finished now: the one that is kept, or computed when that is older.

        With `quick` only the ratings of very many blocks are computed; intervals are those of the list that is kept.
        """
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            finished, scale = _finished(connection, key), _entered(connection, key, anchor)
            kept = read_list(connection, key, clean)
            if kept is not None and (kept.blocks, kept.anchor) == (finished, scale):
                return kept
            if quick and finished > MANY_BLOCKS and not clean:
                return quick_list(connection, key, finished, scale, kept)
            results = _results(connection, key)
        return list_of(report_of(results.clean() if clean else results, scale), finished, scale)

    def results(self, tournament: str) -> Results[bytes]:
        """All finished blocks, seat by seat."""
        with self._store.reading() as connection:
            return _results(connection, tournament_key(connection, tournament, self._store))

    def pairs(self, tournament: str) -> tuple[tuple[bytes, ...], PairTable]:
        """The bots that entered, sorted, and how they finished against each other in all finished blocks."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            keys = entered_keys(connection, key)
            bots = tuple(sorted(keys))
            return bots, read_pairs(connection, key, [keys[bot] for bot in bots])

    def history(
        self, tournament: str, anchor: bytes | None, *, clean: bool = False, online: bool = False
    ) -> tuple[Mark, ...]:
        """How the ratings came about: fitted anew at each mark, or `online`, as a running number without an anchor."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            results, ordinals = _results(connection, key), plan_order(connection, key)
        chosen = results.clean() if clean else results
        return online_history(chosen, ordinals) if online else history(chosen, ordinals, anchor)

    def course(self, tournament: str, anchor: bytes | None) -> tuple[Mark, ...]:
        """How the ratings came about, quickly: as it was kept, or computed while there are few blocks; else nothing."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            finished, marks, kept = (
                _finished(connection, key),
                read_marks(connection, key),
                read_anchor(connection, key),
            )
            is_same_scale = kept == _entered(connection, key, anchor)
        if marks and is_same_scale and (finished > FEW_BLOCKS or marks[-1].blocks == finished):
            return marks
        return self.history(tournament, anchor) if finished <= FEW_BLOCKS else ()

    def keep(self, tournament: str, anchor: bytes | None) -> None:
        """Compute both lists and their course and keep them, unless they are kept already."""
        with self._store.reading() as connection:
            key = tournament_key(connection, tournament, self._store)
            finished, scale = _finished(connection, key), _entered(connection, key, anchor)
            kept = read_list(connection, key, False)
            if kept is not None and (kept.blocks, kept.anchor) == (finished, scale):
                return
            results, ordinals = _results(connection, key), plan_order(connection, key)
        lists, marks = both_lists(results, finished, scale), history(results, ordinals, scale)
        with self._store.writing() as connection:
            keep_lists(connection, key, lists)
            write_marks(connection, key, marks, entered_keys(connection, key))


def report_of(results: Results[bytes], anchor: bytes | None) -> Report[bytes]:
    """Rate results as all rankings of the arena do."""
    return rate(results, anchor=None if anchor is None else {anchor: ANCHOR_ELO})


def both_lists(results: Results[bytes], finished: int, anchor: bytes | None) -> tuple[RatingList, RatingList]:
    """The list of all blocks and that of the clean ones, when so many blocks were finished."""
    everything = list_of(report_of(results, anchor), finished, anchor)
    if results.clean_blocks().all():
        return everything, everything
    return everything, list_of(report_of(results.clean(), anchor), finished, anchor)


def keep_lists(connection: sa.Connection, tournament: int, lists: tuple[RatingList, RatingList]) -> None:
    """Keep both lists of the tournament with this key, unless newer ones are there."""
    bots = entered_keys(connection, tournament)
    for clean, rated in enumerate(lists):
        kept = read_list(connection, tournament, bool(clean))
        if kept is None or kept.blocks <= rated.blocks:
            write_list(connection, tournament, bool(clean), rated, bots)


def _results(connection: sa.Connection, tournament: int) -> Results[bytes]:
    return results_of(connection, tournament, read_columns(connection, tournament))


def plan_order(connection: sa.Connection, tournament: int) -> dict[bytes, int]:
    """The places of all blocks in the plan."""
    planned = sa.select(BLOCK.c.block_id, BLOCK.c.ordinal).where(BLOCK.c.tournament == tournament)
    return dict(connection.execute(planned).all())


def _finished(connection: sa.Connection, tournament: int) -> int:
    done = sa.select(sa.func.count()).where(BLOCK.c.tournament == tournament, BLOCK.c.state == BlockState.DONE)
    return int(connection.execute(done).scalar_one())


def _entered(connection: sa.Connection, tournament: int, anchor: bytes | None) -> bytes | None:
    """The anchor if it entered the tournament with this key."""
    return anchor if anchor in entered_keys(connection, tournament) else None
