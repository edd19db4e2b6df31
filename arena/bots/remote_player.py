"""`RemotePlayer`: the match's port to a player, filled by a connection to a bot on a machine of its own."""

from __future__ import annotations

from collections.abc import Callable

from arena.bots.calling import CallingPlayer
from arena.bots.deadlines import Deadlines
from arena.bots.errors import StartError
from arena.bots.remote import Access, greet, why_unavailable
from arena.bots.ring import printable
from arena.match.faults import FaultKind
from arena.match.limits import ProcessLimits
from arena.match.player import CallFailure
from arena.wire.client import CallError, CallErrorKind


class RemotePlayer(CallingPlayer):
    """One connection in one chair. Many chairs may share an address, and each has its own.

    There is no process to replace: after a missed deadline or a broken connection the bot is asked for its description
    until it answers, at most for the start-up limit, and that is not charged.
    """

    def __init__(
        self,
        access: Access,
        limits: ProcessLimits,
        deadlines: Deadlines,
        failed: Callable[[Exception], None],
        noted: Callable[[str, str], None] = lambda *_: None,
    ) -> None:
        self._access = access
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
        try:
            if self._closing.is_set():
                raise StartError("was left before it was asked")
            self._description = greet(client, self._limits.start_ms / 1000, self._closing)
        except StartError as error:
            self._end()
            if not self._closing.is_set():
                self._noted(printable(str(error)), "")
            return printable(error.reason)
        finally:
            self._busy = False
        self._noted("", "")
        return ""

    def _interrupt(self) -> None:
        client = self._client
        if self._busy and client is not None:
            client.close()

    def _gone(self, error: CallError) -> CallFailure | None:
        if error.kind is not CallErrorKind.UNAVAILABLE:
            return None
        return CallFailure(FaultKind.CRASHED, why_unavailable(error), printable(error.detail))

    def _pid(self) -> int:
        return 0

    def _begin_call(self, turns: int) -> None:  # noqa: ARG002
        self._busy = True

    def _end_call(self) -> None:
        self._busy = False
