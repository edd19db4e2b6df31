"""`RemotePlayer`: the match's port to a player, filled by a connection to a bot on a machine of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from arena.bots.calling import CallingPlayer, Noted
from arena.bots.deadlines import Deadlines
from arena.bots.errors import StartError
from arena.bots.remote import Access, greet, resolved, why_unavailable
from arena.bots.ring import printable
from arena.bots.traffic import Traffic
from arena.bots.usage import Exceeded
from arena.bots.watchdog import Watchdog
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import CallFailure
from arena.tournament.ports import BotEventKind
from arena.wire.client import BotClient, CallError, CallErrorKind


class RemotePlayer(CallingPlayer):
    """One connection in one chair. Many chairs may share an address, and each has its own.

    There is no process to replace: after a missed deadline or a broken connection the bot is asked for its description
    until it answers, at most for the start-up limit, and that is not charged. The watchdog sees to it that it sends no
    more than answers take.
    """

    def __init__(
        self,
        access: Access,
        limits: ProcessLimits,
        deadlines: Deadlines,
        watchdog: Watchdog,
        failed: Callable[[Exception], None],
        noted: Noted = lambda *_: None,
    ) -> None:
        self.traffic = Traffic()
        self._access = access
        self._watchdog = watchdog
        self._flooded: Exceeded | None = None
        self._busy = False
        super().__init__(str(access.address), limits, deadlines, failed, noted)

    @property
    def remote(self) -> bool:
        """It always is."""
        return True

    def last_output(self) -> str:
        """Nothing: what it prints, it prints elsewhere."""
        return ""

    def _start(self) -> str:
        if self._client is not None:
            return ""
        client = self._client = self._access.connect()
        self._busy = True
        self.traffic = Traffic()
        threading.Thread(target=self._learn_addresses, args=(self.traffic,), daemon=True).start()
        self._watchdog.add(self)
        try:
            if self._closing.is_set():
                raise StartError("was left before it was asked")
            self._description = greet(client, self._limits.start_ms / 1000, self._closing)
        except StartError as error:
            self._end()
            if not self._closing.is_set():
                self._noted(BotEventKind.NOT_STARTED, printable(str(error)), "")
            return printable(error.reason)
        finally:
            self._busy = False
        self.traffic.end()
        self._noted(BotEventKind.STARTED, "", "")
        return ""

    def owns(self, pid: int, uid: int) -> bool:  # noqa: ARG002
        """No process of this machine."""
        return False

    def look(self) -> Exceeded | None:
        """What it takes of its own machine is its own."""
        return None

    def stop(self, exceeded: Exceeded) -> None:
        """Drop the connection, which it floods; its next call tells, or the one that is under way."""
        client = self._client
        self._flooded = exceeded
        if client is not None:
            client.close()

    def _learn_addresses(self, traffic: Traffic) -> None:
        """Apart from its own thread, which must not wait for a name server."""
        traffic.addresses = resolved(self._access.address)

    def _end(self, grace_s: float = 0.0) -> None:
        self._watchdog.remove(self)
        super()._end(grace_s)

    def _interrupt(self) -> None:
        client = self._client
        if self._busy and client is not None:
            client.close()

    def _gone(self, error: CallError) -> CallFailure | None:
        if error.kind is not CallErrorKind.UNAVAILABLE:
            return None
        if (fall := self._fallen()) is not None:
            return fall
        return CallFailure(FaultKind.CRASHED, why_unavailable(error), printable(error.detail))

    def _fallen(self) -> CallFailure | None:
        flooded, self._flooded = self._flooded, None
        if flooded is None:
            return None
        self._end()
        return CallFailure(FaultKind.CRASHED, flooded.limit, str(flooded))

    def _pid(self) -> int:
        return 0

    def _begin_call(self, turns: int) -> None:  # noqa: ARG002
        self._busy = True
        self.traffic.begin()

    def _end_call(self) -> None:
        self._busy = False
        self.traffic.end()

    def _conclude(self, client: BotClient, request: bytes) -> None:
        self.traffic.begin()
        super()._conclude(client, request)
        self.traffic.end()
