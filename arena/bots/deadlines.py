"""The deadlines of the calls in flight, which waiting for a core moves.

One thread watches all calls. It looks at a call for the first time when that is `FIRST_LOOK_S` old, so most calls cost
nothing but to be put on the list; what a bot waited before is within the margin of its deadline. How late the thread
itself is woken tells how long the arena, or the whole host, stood still.
"""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Callable
from itertools import count
from time import monotonic

from arena.bots.waiting import NO_TIMES, Times, own_thread_times, runnable, since, stuck, thread_times, tree
from arena.match.limits import moved_deadline_s, waiting_s

FIRST_LOOK_S = 0.020
LOOK_EVERY_S = 0.050
"""How often the thread is woken while a call is in flight that it has looked at: only so does it notice a stall."""

STALL_S = 0.010
"""A thread that is woken less late than this has met no stall, only other threads."""

KEPT_STALLS = 64

NS = 1e-9


class Watch:
    """One call that is being watched; `missed` once its deadline has passed."""

    __slots__ = (
        "_arena",
        "_caller",
        "_first",
        "_last",
        "began",
        "deadline_s",
        "expire",
        "missed",
        "most_s",
        "over",
        "pid",
    )

    def __init__(self, pid: int, deadline_s: float, most_s: float, expire: Callable[[], None]) -> None:
        self.pid = pid
        self.deadline_s = deadline_s
        self.most_s = most_s
        self.expire = expire
        self.over = self.missed = False
        self._first: Times | None = None
        self._last: Times = {}
        self._arena = NO_TIMES
        self._caller = threading.get_native_id()
        self.began = monotonic()

    @property
    def seen(self) -> bool:
        """Whether it was looked at."""
        return self._first is not None

    def look(self) -> None:
        """Remember what the bot's threads have had so far."""
        self._arena = own_thread_times(self._caller)
        self._first = self._last = thread_times(tree(self.pid))

    def waiting_s(self, stalled_s: float) -> float:
        """How much of the call was not the bot's so far, of which the arena stood still for `stalled_s`."""
        elapsed_s = monotonic() - self.began
        if self._first is None:
            return waiting_s(elapsed_s, 0.0, 0.0, stalled_s)
        self._last = thread_times(tree(self.pid))
        had = since(self._first, self._last)
        arena_s = (own_thread_times(self._caller).waited_ns - self._arena.waited_ns) * NS
        return waiting_s(elapsed_s, had.ran_ns * NS, had.waited_ns * NS, max(stalled_s, arena_s))

    def moved(self, stalled_s: float) -> float | None:
        """What becomes of the deadline that has passed: see `moved_deadline_s`."""
        before = self._last
        waiting = self.waiting_s(stalled_s)
        is_stuck = stuck(runnable(tree(self.pid)), before, self._last)
        return moved_deadline_s(monotonic() - self.began, self.deadline_s, self.most_s, waiting, stuck=is_stuck)


class Deadlines:
    """Watches the calls of one arena process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._looks: list[tuple[float, int, Watch]] = []
        self._numbers = count()
        self._woken_at = float("inf")  # when the thread is to be woken
        self._stalls: deque[tuple[float, float]] = deque(maxlen=KEPT_STALLS)
        self._open = True
        self._thread = threading.Thread(target=self._run, name="deadlines", daemon=True)
        self._thread.start()

    def begin(self, pid: int, deadline_s: float, most_s: float, expire: Callable[[], None]) -> Watch:
        """Watch a call that the calling thread is about to make to the process `pid`.

        After `deadline_s`, moved by at most `most_s`, `expire` is called from another thread, unless `end` came first.
        """
        watch = Watch(pid, deadline_s, most_s, expire)
        at = watch.began + min(FIRST_LOOK_S, deadline_s / 4)
        with self._changed:
            heapq.heappush(self._looks, (at, next(self._numbers), watch))
            if at < self._woken_at:
                self._changed.notify()
        return watch

    def end(self, watch: Watch) -> float:
        """The call came back, in the thread that made it: how much of it, in seconds, was not the bot's."""
        if not watch.seen and monotonic() - watch.began < FIRST_LOOK_S:
            watch.over = True
            return 0.0
        with self._changed:
            watch.over = True
            stalled_s = self._stalled_s(watch.began)
        return watch.waiting_s(stalled_s)

    def close(self) -> None:
        """Stop the thread."""
        with self._changed:
            self._open = False
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while self._open:
            for watch in self._await_looks():
                if not watch.seen:
                    watch.look()
                    self._again(watch, min(watch.deadline_s, FIRST_LOOK_S + LOOK_EVERY_S))
                else:
                    self._check(watch)

    def _await_looks(self) -> list[Watch]:
        """Wait until some calls are to be looked at."""
        with self._changed:
            looks = self._looks
            while looks and looks[0][2].over:
                heapq.heappop(looks)
            now = monotonic()
            self._woken_at = looks[0][0] if looks else float("inf")
            if self._open and now < self._woken_at:
                self._changed.wait(self._woken_at - now if looks else None)
                now = monotonic()
                if now > self._woken_at + STALL_S:
                    self._stalls.append((self._woken_at, now))
            self._woken_at = float("-inf")  # awake: nobody needs to wake it
            due = []
            while looks and looks[0][0] <= now:
                due.append(heapq.heappop(looks)[2])
            return [watch for watch in due if not watch.over]

    def _check(self, watch: Watch) -> None:
        """Move a deadline that has passed, or end the call."""
        now_s = monotonic() - watch.began
        if now_s < watch.deadline_s:
            self._again(watch, min(watch.deadline_s, now_s + LOOK_EVERY_S))
            return
        with self._changed:
            stalled_s = self._stalled_s(watch.began)
        until = watch.moved(stalled_s)
        if until is not None:
            self._again(watch, min(until, now_s + LOOK_EVERY_S))
            return
        with self._changed:
            if watch.over:
                return
            watch.missed = True
        watch.expire()

    def _again(self, watch: Watch, at_s: float) -> None:
        with self._changed:
            heapq.heappush(self._looks, (watch.began + at_s, next(self._numbers), watch))

    def _stalled_s(self, began: float) -> float:
        """How long the arena has stood still since `began`, the stall included that the thread is still in."""
        now = monotonic()
        stalled_s = sum(max(0.0, end - max(start, began)) for start, end in self._stalls)
        if 0 < self._woken_at < now - STALL_S:
            stalled_s += now - max(self._woken_at, began)
        return stalled_s
