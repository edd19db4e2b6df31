"""A match with a person at the table: the referee and the processes of a tournament, and no clock for the person.

The referee plays in a thread of its own; whoever shows the match takes its moments one after the other with `next` and
answers a turn with `act`. A moment holds what the person may know and nothing else.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple, Self, TypeAlias

from arena.bots.errors import StartError
from arena.bots.launcher import Launcher, PreparedBot
from arena.bots.remote import Access
from arena.fleet.lobby import Lobby, new_player
from arena.game.actions import Action
from arena.game.legality import check_action
from arena.game.variant import Variant
from arena.game.view import Observation, observe
from arena.match.limits import Limits
from arena.match.player import Answer, CallResult, Player
from arena.match.record import PERSON, MatchRecord
from arena.match.referee import Abandoned, Finished, Referee
from arena.match.table import Chair, Match
from arena.wire.codec import TableEncoder


class Watched(NamedTuple):
    """Another seat, `acting`, is about to act: all that the person's seat may know."""

    seen: Observation
    acting: int


class YourTurn(NamedTuple):
    """The person is to act: all that its seat may know, and the number of the turn in the match.

    No further moment comes before `LiveMatch.act`.
    """

    seen: Observation
    turn: int


class Over(NamedTuple):
    """The match has ended: the record, with all cards."""

    record: MatchRecord


Moment: TypeAlias = Watched | YourTurn | Over


class TableLeft(Exception):  # noqa: N818
    """The person has left the table: no further moment comes."""


class LiveMatch:
    """One match of a person against bots; leave it with `close`, also in the middle, and nothing of it runs on.

    `seats` are the bots' digests, `PERSON` once among them; `bots` says where each is found. `seed` are the 32 bytes
    from which all cards follow.
    """

    def __init__(
        self,
        seats: Sequence[bytes],
        bots: Mapping[bytes, PreparedBot | Access],
        launcher: Launcher,
        variant: Variant,
        limits: Limits,
        seed: bytes,
    ) -> None:
        self._person = _PersonPlayer(self._ask)
        self._bots = bots
        self._seat = seats.index(PERSON)
        self._moments: SimpleQueue[Moment | Exception] = SimpleQueue()
        self._question: _Asked | None = None
        self._lobby = Lobby(lambda chair: new_player(bots[chair.bot], launcher, self._referee.fail), warm=len(seats))
        self._referee = Referee(
            self, lambda _: _TellingEncoder(self._see), limits, tables=1, calls=1, draw=lambda: secrets.randbits(64)
        )
        chairs = tuple(Chair(bot, seats[:seat].count(bot), rotation=0) for seat, bot in enumerate(seats))
        match = Match(bytes(32), 0, variant, limits, chairs, seed)
        self._thread = threading.Thread(target=self._play, args=(match,), name="referee", daemon=True)
        self._thread.start()

    def next(self) -> Moment:
        """Wait for the next moment; the last is `Over`.

        Raises StartError when a bot cannot be started, TableLeft after `close`, and what failed in the arena itself.
        """
        moment = self._moments.get()
        if isinstance(moment, Exception):
            raise moment
        return moment

    def act(self, action: Action) -> None:
        """Do this on the person's turn, which ends it; raises IllegalAction, and it is the person's turn still."""
        question = self._question
        assert question is not None, "it is not the person's turn"
        check_action(question.seen, action)
        self._question = None
        self._person.answer(Answer(question.table, question.turn, action, ""))

    def close(self) -> None:
        """Leave the table, from any thread: ends the match, if it goes on, and all processes."""
        self._referee.fail(TableLeft())
        self._thread.join()
        self._lobby.renew()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def player(self, chair: Chair) -> Player:
        """The referee's seating: the person, or the process of a bot."""
        return self._person if chair.bot == PERSON else self._lobby.player(chair)

    def leave(self, chair: Chair) -> None:
        """The referee's seating: nothing to do, since all chairs are for this match and go with it."""

    def _play(self, match: Match) -> None:
        try:
            for end in self._referee.play([match]):
                self._moments.put(Over(end.record) if isinstance(end, Finished) else self._not_started(end))
        except Exception as error:  # it is told where the match is shown
            self._moments.put(error)

    def _not_started(self, end: Abandoned) -> StartError:
        bot = self._bots[end.bot]
        name = bot.address if isinstance(bot, Access) else bot.manifest.name
        return StartError(f"{name} cannot be started: {end.reason}")

    def _see(self, table: int, turn: int) -> None:
        """A turn is about to be asked, under this number."""
        (state,) = (at.state for at in self._referee.tables)
        seen = observe(state, self._seat)
        if state.seat == self._seat:
            self._question = _Asked(table, turn, seen)
        else:
            self._moments.put(Watched(seen, state.seat))

    def _ask(self) -> None:
        assert self._question is not None
        self._moments.put(YourTurn(self._question.seen, self._question.turn))


class _Asked(NamedTuple):
    """The person's turn, and the numbers under which it is answered."""

    table: int
    turn: int
    seen: Observation


class _TellingEncoder:
    """Tells of each turn that is about to be asked."""

    def __init__(self, see: Callable[[int, int], None]) -> None:
        self._see = see
        encoder = TableEncoder()
        self._ask = encoder.ask
        self.begin_deal = encoder.begin_deal
        self.add = encoder.add

    def ask(self, table: int, turn: int, *rest: Any, **named: Any) -> bytes:
        """The turn as it is sent."""
        self._see(table, turn)
        return self._ask(table, turn, *rest, **named)


class _PersonPlayer:
    """The match's port to a player, filled by a person, who has all the time in the world."""

    max_batch = 1
    remote = True  # a person takes no core of this machine

    def __init__(self, asked: Callable[[], None]) -> None:
        self._asked = asked
        self._done: Callable[[CallResult], None] = lambda _: None

    def call(
        self,
        requests: Sequence[bytes],  # noqa: ARG002  the person has the question in another form already
        deadline_s: float,  # noqa: ARG002
        done: Callable[[CallResult], None],
        *,
        most_s: float = 0.0,  # noqa: ARG002
    ) -> None:
        """Ask the person."""
        self._done = done
        self._asked()

    def answer(self, answer: Answer) -> None:
        """The person has decided; nothing is charged."""
        self._done(CallResult((answer,), None, 0.0))

    def conclude(self, request: bytes) -> None:
        """Nobody needs to tell a person who was there."""

    def close(self) -> None:
        """There is no process."""
