"""Stored matches as pages read them, with their checks; those that were looked at last are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from arena.match.record import MatchRecord
from arena.store.archive import StoredMatch
from arena.store.exporting import match_line, read_record
from arena.store.repository import StoredTournament
from arena.store.results import Results
from arena.tournament.checks.report import Report
from arena.tournament.counting import counts_of
from arena.tournament.draw import draw_block
from arena.tournament.labels import seat_labels
from arena.tournament.ports import SeatResult
from arena.tournament.verify import verify_match
from arena.web.latest import Latest

MOST_MATCHES = 64
MOST_TOURNAMENTS = 32


@dataclass(frozen=True)
class ReadMatch:
    """A stored match, its record, and the tournament that it is of."""

    found: StoredMatch
    stored: StoredTournament
    record: MatchRecord

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the bots are called, by seat."""
        return seat_labels(self.record.seats, self.stored.tournament.entries)

    @property
    def called(self) -> Mapping[bytes, str]:
        """What the bots are called, by digest."""
        return dict(zip(self.record.seats, self.names, strict=True))

    @cached_property
    def seats(self) -> tuple[SeatResult, ...]:
        """What the match brought to each seat."""
        return counts_of(self.record).seats

    @cached_property
    def rotations(self) -> int:
        """How many matches were played with the same cards, this one among them."""
        entries = self.stored.tournament.entries
        if any(entry.remote for entry in entries if entry.digest in self.record.seats):
            return 1
        return len(draw_block(self.stored.tournament, self.found.block, self.found.attempt))

    @cached_property
    def line(self) -> str:
        """The match as a line of an export."""
        return match_line(self.found, self.stored)

    @cached_property
    def report(self) -> Report:
        """What checking that line brings: the match is derived and played again."""
        return verify_match(self.line)

    @property
    def version(self) -> str:
        """All that a page of it depends on."""
        return f"{self.found.digest.hex()} {self.found.attempt} {self.stored.finished}"


class Library:
    """Reads matches; safe for threads."""

    def __init__(self) -> None:
        self._matches: Latest[tuple[str, bytes, int, int, bytes, bool], ReadMatch] = Latest(MOST_MATCHES)
        self._tournaments: Latest[tuple[str, bool], StoredTournament] = Latest(MOST_TOURNAMENTS)

    def read(self, results: Results, address: str) -> ReadMatch:
        """The match at this address; raises what `Archive.find` raises, and RecordError."""
        found = results.matches.find(address)
        is_finished = results.tournaments.name(found.tournament).finished is not None
        block = found.block.block_id
        key = found.tournament, block, found.rotation, found.attempt, found.digest, is_finished
        known = self._matches.get(key)
        if known is None:
            stored = self._tournament(results, found.tournament, is_finished=is_finished)
            known = ReadMatch(found, stored, read_record(found))
            self._matches.put(key, known)
        return known

    def _tournament(self, results: Results, tournament: str, *, is_finished: bool) -> StoredTournament:
        """A tournament as far as it never changes but when it is finished: its blocks are as of some earlier moment."""
        key = tournament, is_finished
        known = self._tournaments.get(key)
        if known is None:
            known = results.tournaments.tournament(tournament)
            self._tournaments.put((tournament, known.finished is not None), known)
        return known
