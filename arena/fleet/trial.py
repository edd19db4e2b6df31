"""A few quick matches of one bot against others, to see it play: nothing of them counts or is kept."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from hashlib import shake_256
from time import monotonic
from typing import NamedTuple

from arena.bots.calling import CallingPlayer
from arena.bots.conformance.findings import Finding, Reply, Step, StepReport, wrong
from arena.bots.conformance.interview import MakePlayer, Tally
from arena.bots.conformance.judging import Judgement
from arena.bots.conformance.turns import LIMITS, FixedTurn
from arena.fleet.lobby import Lobby
from arena.game.variant import Variant
from arena.match.faults import Verdict
from arena.match.player import CallFailure
from arena.match.record import MatchRecord
from arena.match.referee import Abandoned, Finished, Referee
from arena.match.table import Chair, Match, Table
from arena.wire.codec import TableEncoder

MATCHES = 10
TABLES_OF = (2, 4)
"""Seats of a table, by turns."""

QUICK = Variant(threshold=0, deal_cap=4)
MOST_REPLIES = 200
"""So many faults are looked at; a bot that has more has shown enough."""

SUBJECT = bytes(32)
"""Stands for the bot that is looked at where others have a digest, so that it may be one of the others too."""


class Contestant(NamedTuple):
    """A bot that plays: `make` makes its players; with `fresh` it has a new process for each match."""

    label: str
    make: MakePlayer
    fresh: bool = False


class _TimeOver(Exception):  # noqa: N818
    """Nothing more is begun."""


def play_trial(
    subject: Contestant, opponents: Sequence[Contestant], tally: Tally, seconds: float, *, calls: int
) -> StepReport:
    """Play matches against the opponents, as many as end in so many seconds; `calls` as for the referee."""
    return _Trial(subject, opponents, tally, calls).play(seconds)


class _Trial:
    def __init__(self, subject: Contestant, opponents: Sequence[Contestant], tally: Tally, calls: int) -> None:
        self._subject = subject
        self._opponents = {bytes([number]) * 32: one for number, one in enumerate(opponents, 1)}
        self._tally = tally
        self._until = 0.0
        self._own: list[CallingPlayer] = []
        self._replies: list[Reply] = []
        self._lobby = Lobby(self._new_player, MATCHES)
        self._referee = Referee(
            self._lobby,
            lambda _: TableEncoder(),
            LIMITS,
            tables=MATCHES,
            calls=calls,
            draw=lambda: secrets.randbits(64),
            tick=self._tick,
            noted=self._note,
        )

    def play(self, seconds: float) -> StepReport:
        self._until = monotonic() + seconds
        records: list[MatchRecord] = []
        findings: list[Finding] = []
        try:
            for end in self._referee.play(map(self._match, range(MATCHES))):
                if isinstance(end, Finished):
                    records.append(end.record)
                else:
                    findings = [self._not_started(end)]
        except _TimeOver:
            what = f"{len(records)} of {MATCHES} quick matches ended in {seconds:.0f} s"
            findings.append(Finding(False, what, "a bot that plays them all"))
        finally:
            for player in self._own:
                self._tally.close(player)
            self._lobby.renew()
        return self._report(records, (*wrong(self._replies), *findings))

    def _report(self, records: Sequence[MatchRecord], findings: tuple[Finding, ...]) -> StepReport:
        own, others = [], []
        turns = faults = 0
        for record in records:
            seat = record.seats.index(SUBJECT)
            points = [each / len(record.deals) for each in record.points]
            own.append(points.pop(seat))
            others.append(sum(points) / len(points))
            mine = [turn for turn in record.turns() if turn.seat == seat]
            turns += len(mine)
            faults += sum(turn.fault is not None for turn in mine)
        figures = {
            "matches": len(records),
            "turns": turns,
            "faults": faults,
            "points_a_deal": round(sum(own) / len(own), 2) if own else None,
            "points_a_deal_of_others": round(sum(others) / len(others), 2) if others else None,
        }
        summary = f"{len(records)} of {MATCHES} played, {turns} turns, {faults or 'no'} fault{'s' * (faults != 1)}"
        if own:
            summary += f"; {figures['points_a_deal']} points a deal, others {figures['points_a_deal_of_others']}"
        return StepReport(Step.MATCHES, summary, figures, findings)

    def _not_started(self, end: Abandoned) -> Finding:
        """A bot that could not be started twice, which ends all matches with it."""
        if end.bot == SUBJECT:
            return Finding(True, f"it could not be started again: {end.reason}", "a bot that starts each time")
        return Finding(False, f"{self._opponents[end.bot].label} cannot be started here: {end.reason}", "an opponent")

    def _new_player(self, chair: Chair) -> CallingPlayer:
        if chair.bot != SUBJECT:
            return self._opponents[chair.bot].make(self._referee.fail, lambda *_: None)
        player = self._subject.make(self._referee.fail, self._tally.note)
        self._own.append(player)
        return player

    def _match(self, number: int) -> Match:
        """The match of a number, with cards that no other has."""
        seats = TABLES_OF[number % len(TABLES_OF)]
        seed = shake_256(b"a quick match %d" % number).digest(32)
        return Match(seed, number, QUICK, LIMITS, tuple(self._chairs(number, seats)), seed)

    def _chairs(self, number: int, seats: int) -> Iterator[Chair]:
        """One process for each bot, since no two matches have the same cards; more for those that want it so."""
        names = list(self._opponents)
        own = number // len(TABLES_OF) % seats
        for seat in range(seats):
            bot = SUBJECT if seat == own else names[(number + seat) % len(names)]
            fresh = self._subject.fresh if bot == SUBJECT else self._opponents[bot].fresh
            yield Chair(bot, 0, 0, bytes([number, seat]) if fresh else b"")

    def _tick(self) -> None:
        if monotonic() > self._until:
            raise _TimeOver

    def _note(self, tables: Sequence[Table], what: Verdict | CallFailure) -> None:
        """A fault of whoever is to act at a table, or a failed call with the turns of many."""
        chair = tables[0].match.chairs[tables[0].state.seat]
        if chair.bot != SUBJECT or len(self._replies) >= MOST_REPLIES:
            return
        player = self._lobby.find(chair)
        output = player.last_output() if player is not None else ""
        failed = isinstance(what, CallFailure)
        detail = what.detail if isinstance(what, CallFailure) else ""
        judgement = Judgement(None, Verdict(what.kind, what.reason), detail)
        asked = tuple(map(_turn, tables))
        self._replies += [Reply(turn, judgement, asked, output=output, failed=failed) for turn in asked]


def _turn(table: Table) -> FixedTurn:
    """The turn that is to be asked at a table; its match has its number for a rotation."""
    return FixedTurn(f"turn {table.state.turn} of match {table.match.rotation}", table.request(table.bank_ms))
