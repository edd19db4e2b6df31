"""What the kernel tells of processes, told by processes that are known to run, to wait or to sleep."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import psutil
import pytest

from arena.bots.waiting import ThreadTimes, cpu_s, runnable, send_to_tree, since, stuck, thread_times, tree

Run = Callable[[str], int]


@pytest.fixture
def run() -> Iterator[Run]:
    """Start shell scripts, each in a session of its own, so that they share cores as strangers do."""
    with ExitStack() as stack:

        def start(script: str) -> int:
            process = subprocess.Popen(["sh", "-c", script], start_new_session=True)
            stack.callback(process.wait)
            stack.callback(lambda: os.killpg(process.pid, signal.SIGKILL))
            return process.pid

        yield start


def until(holds: Callable[[], bool]) -> None:
    while not holds():
        os.sched_yield()


SPIN = "while :; do :; done"


def test_a_tree_holds_all_that_descend_from_a_process(run: Run) -> None:
    pid = run(f"sh -c '{SPIN}' & sleep 600 & wait")
    until(lambda: len(tree(pid)) == 3)
    assert set(tree(pid)) == {pid} | {child.pid for child in psutil.Process(pid).children(recursive=True)}


def test_a_process_that_is_gone_has_a_tree_of_itself_and_no_times() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    assert tree(gone.pid) == [gone.pid]
    assert thread_times([gone.pid]) == {}
    assert cpu_s([gone.pid]) == 0


def test_two_that_share_a_core_wait_for_it(run: Run) -> None:
    core = {min(os.sched_getaffinity(0))}
    pids = [run(SPIN) for _ in range(2)]
    for pid in pids:
        os.sched_setaffinity(pid, core)
    before = [thread_times([pid]) for pid in pids]
    until(lambda: cpu_s(pids[:1]) > 0.2)
    until(lambda: since(before[1], thread_times(pids[1:])).waited_ns > 50_000_000)
    had = since(before[1], thread_times(pids[1:]))
    assert had.ran_ns > 0


def test_a_sleeper_neither_runs_nor_waits(run: Run) -> None:
    pid = run("exec sleep 600")
    until(lambda: runnable([pid]) == set())
    before = thread_times([pid])
    assert since(before, thread_times([pid])) == ThreadTimes(0, 0)


def test_only_a_thread_that_wants_a_core_and_has_none_is_stuck() -> None:
    before = {1: ThreadTimes(100, 5), 2: ThreadTimes(100, 5)}
    after = {1: ThreadTimes(100, 5), 2: ThreadTimes(180, 5)}
    assert stuck({1, 2}, before, after)
    assert not stuck({2}, before, after)
    assert not stuck(set(), before, after)
    assert not stuck({3}, before, after)


def test_a_new_thread_counts_from_its_beginning_and_one_that_ended_not_at_all() -> None:
    before = {1: ThreadTimes(100, 50), 2: ThreadTimes(7, 7)}
    assert since(before, {1: ThreadTimes(130, 90), 3: ThreadTimes(5, 2)}) == ThreadTimes(35, 42)


def test_a_whole_tree_is_stopped_and_goes_on(run: Run) -> None:
    pid = run(f"sh -c '{SPIN}' & {SPIN}")
    until(lambda: len(tree(pid)) == 2)
    pids = tree(pid)
    send_to_tree(pid, signal.SIGSTOP)
    until(lambda: all(psutil.Process(one).status() == psutil.STATUS_STOPPED for one in pids))
    send_to_tree(pid, signal.SIGCONT)
    until(lambda: not any(psutil.Process(one).status() == psutil.STATUS_STOPPED for one in pids))
