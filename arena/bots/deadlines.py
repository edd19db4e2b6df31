"""The deadlines of the calls in flight, which waiting for a core moves.

One thread goes over all calls every `TICK_S`. Most calls have ended before it sees them and cost nothing but to be put
on its list; at one that is `FIRST_LOOK_S` old it looks for the first time, and what a bot waited before that is within
the margin of its deadline. How late the thread itself is woken tells how long the arena or the host stood still.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from time import monotonic

from arena.bots.waiting import NO_TIMES, Times, own_thread_times, runnable, since, stuck, thread_times, tree
from arena.match.limits import moved_deadline_s, waiting_s

TICK_S = 0.020

FIRST_LOOK_S = 0.005

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
        "until_s",
    )

    def __init__(self, pid: int, deadline_s: float, most_s: float, expire: Callable[[], None]) -> None:
        self.pid = pid
        self.deadline_s = deadline_s
        self.until_s = deadline_s  # the deadline as far as it is known to have moved
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
        self._last = thread_times(tree(self.pid))
        if self._first is None:
            self._arena = own_thread_times(self._caller)
            self._first = self._last

    def waiting_s(self, stalled_s: float) -> float:
        """How much of the call was not the bot's so far, of which the arena stood still for `stalled_s`."""
        elapsed_s = monotonic() - self.began
        if self._first is None:
            return waiting_s(elapsed_s, 0.0, 0.0, stalled_s)
        self.look()
        had = since(self._first, self._last)
        arena_s = (own_thread_times(self._caller).waited_ns - self._arena.waited_ns) * NS
        return waiting_s(elapsed_s, had.ran_ns * NS, had.waited_ns * NS, max(stalled_s, arena_s))

    def move(self, stalled_s: float) -> bool:
        """Move the deadline, which has passed; False when it is missed."""
        before = self._last
        waiting = self.waiting_s(stalled_s)
        is_stuck = stuck(runnable(tree(self.pid)), before, self._last)
        now_s = monotonic() - self.began
        until_s = moved_deadline_s(now_s, self.deadline_s, self.most_s, waiting, stuck=is_stuck)
        self.until_s = until_s or self.until_s
        return until_s is not None


class Deadlines:
    """Watches the calls of one arena process."""

    def __init__(self) -> None:
        self._new: deque[Watch] = deque()
        self._watched: list[Watch] = []
        self._asleep = False
        self._wake = threading.Event()
        self._ending = threading.Lock()
        self._woken_at = 0.0  # when the thread is to be woken; 0 when it is awake or sleeps without end
        self._stalls: deque[tuple[float, float]] = deque(maxlen=KEPT_STALLS)
        self._open = True
        self._thread = threading.Thread(target=self._run, name="deadlines", daemon=True)
        self._thread.start()

    def begin(self, pid: int, deadline_s: float, most_s: float, expire: Callable[[], None]) -> Watch:
        """Watch a call that the calling thread is about to make to the process `pid` (0 for one elsewhere).

        After `deadline_s`, moved by at most `most_s`, `expire` is called from another thread, unless `end` came first.
        A deadline shorter than a tick is kept only to the tick.
        """
        watch = Watch(pid, deadline_s, most_s, expire)
        self._new.append(watch)
        if self._asleep:  # looked at after the call is on the list, so that either side sees the other
            self._wake.set()
        return watch

    def end(self, watch: Watch) -> float:
        """The call came back, in the thread that made it: how much of it, in seconds, was not the bot's."""
        if not watch.seen and monotonic() - watch.began < TICK_S:
            watch.over = True
            return 0.0
        with self._ending:
            watch.over = True
        return watch.waiting_s(self._stalled_s(watch.began))

    def close(self) -> None:
        """Stop the thread."""
        self._open = False
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        while self._open:
            self._watched = [watch for watch in self._watched if not watch.over]
            while self._new:
                watch = self._new.popleft()
                if not watch.over:
                    self._watched.append(watch)
            for watch in self._watched:
                self._go_over(watch)
            self._sleep()

    def _go_over(self, watch: Watch) -> None:
        now_s = monotonic() - watch.began
        if now_s >= watch.until_s:
            if not watch.seen:
                watch.look()
            if not watch.move(self._stalled_s(watch.began)):
                self._expire(watch)
        elif (now_s >= FIRST_LOOK_S and not watch.seen) or now_s >= watch.until_s - TICK_S:
            watch.look()

    def _expire(self, watch: Watch) -> None:
        with self._ending:
            if watch.over:
                return
            watch.over = watch.missed = True
        watch.expire()

    def _sleep(self) -> None:
        """Until the next tick or deadline; without calls, until there is one."""
        if not self._watched:
            self._asleep = True
            if not self._new and self._open:
                self._wake.wait()
            self._asleep = False
            self._wake.clear()
            return
        now = monotonic()
        self._woken_at = min(now + TICK_S, *(watch.began + watch.until_s for watch in self._watched))
        time.sleep(max(0.0, self._woken_at - now))
        now = monotonic()
        if now > self._woken_at + STALL_S:
            self._stalls.append((self._woken_at, now))
        self._woken_at = 0.0

    def _stalled_s(self, began: float) -> float:
        """How long the arena has stood still since `began`, the stall included that the thread is still in."""
        now = monotonic()
        woken_at = self._woken_at
        stalled_s = sum(max(0.0, end - max(start, began)) for start, end in list(self._stalls))
        if 0 < woken_at < now - STALL_S:
            stalled_s += now - max(woken_at, began)
        return stalled_s
