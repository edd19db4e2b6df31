"""A bot's output: bounded, stamped, counted, and cheap to drain."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator

import pytest

from arena.bots import ring as ring_module
from arena.bots.ring import KEPT_HEAD, KEPT_TAIL, Drainer, OutputRing, printable


@pytest.fixture
def drainer() -> Iterator[Drainer]:
    drainer = Drainer()
    yield drainer
    drainer.close()


def texts(ring: OutputRing) -> list[str]:
    return [line.text for line in ring.lines()]


def test_short_output_is_kept_whole() -> None:
    ring = OutputRing()
    for part in (b"one\ntw", b"o\r\n", b"\n", b"three"):
        ring.feed(part)
    assert texts(ring) == ["one", "two", "", "three"]
    assert ring.dropped == 0


def test_a_line_bears_the_call_during_which_it_began() -> None:
    ring = OutputRing()
    ring.feed(b"start\n")
    ring.during = "call 1"
    ring.feed(b"thinking")
    ring.during = ""
    ring.feed(b" long\nidle\n")
    assert [(line.during, line.text) for line in ring.lines()] == [
        ("", "start"),
        ("call 1", "thinking long"),
        ("", "idle"),
    ]


@pytest.mark.parametrize("part", [1, 100, 5_000, 65_536])
def test_a_flood_keeps_its_beginning_and_its_end_and_a_count(part: int) -> None:
    ring = OutputRing()
    size = 300_000 if part > 1 else 100_000
    data = b"first\n" + b"x" * size + b"\nlast\n"
    for at in range(0, len(data), part):
        ring.feed(data[at : at + part])
    lines = texts(ring)
    assert lines[0] == "first"
    assert lines[-1] == "last"
    assert ring.dropped == len(data) - KEPT_HEAD - KEPT_TAIL
    assert f"[{ring.dropped} bytes of output were dropped here]" in lines
    assert sum(map(len, lines)) <= 80_000


def test_many_small_writes_in_different_calls_stay_bounded() -> None:
    ring = OutputRing()
    for number in range(5_000):
        ring.during = f"call {number}"
        ring.feed(b"!\n")
    assert len(ring.lines()) <= 2 * ring_module.MOST_CHUNKS + 1
    assert ring.lines()[-1].during == "call 4999"
    assert ring.dropped == 2 * (5_000 - len(ring.lines()) + 1)


def test_invalid_utf8_is_shown_and_not_fatal() -> None:
    ring = OutputRing()
    ring.feed(b"\xff\xfe caf\xc3\xa9\n")
    assert texts(ring) == ["�� café"]


def test_the_last_words_are_printable_and_short() -> None:
    ring = OutputRing()
    assert ring.last_words() == ""
    ring.feed(b"Traceback\n\x1b[31mError:\t" + b"y" * 500 + b"\n \n")
    assert ring.last_words().startswith(": �[31mError: yyy")
    assert len(ring.last_words()) <= 202


@pytest.mark.parametrize(("text", "shown"), [("ok", "ok"), ("a\nb\x07", "a b�"), ("x" * 11, "x" * 9 + "…")])
def test_printable_is_one_clean_line(text: str, shown: str) -> None:
    assert printable(text, 10) == shown


def test_pipes_are_drained_until_their_end(drainer: Drainer) -> None:
    rings = [OutputRing() for _ in range(20)]
    for number, ring in enumerate(rings):
        read, write = os.pipe()
        drainer.add(read, ring)
        os.write(write, b"hello %d\n" % number)
        os.close(write)
    for number, ring in enumerate(rings):
        assert ring.ended.wait(5)
        assert texts(ring) == [f"hello {number}"]


def test_a_pipe_that_a_stray_process_holds_open_can_be_let_go(drainer: Drainer) -> None:
    ring = OutputRing()
    read, write = os.pipe()
    drainer.add(read, ring)
    os.write(write, b"last words\n")
    drainer.remove(ring)
    assert texts(ring) == ["last words"]
    with pytest.raises(BrokenPipeError):
        os.write(write, b"more")
    os.close(write)
    drainer.remove(ring)  # once more is no harm


def test_ten_megabytes_pass_quickly_and_cost_little(drainer: Drainer) -> None:
    ring = OutputRing()
    read, write = os.pipe()
    drainer.add(read, ring)
    line = b"." * 99 + b"\n"
    before = time.process_time()
    for _ in range(160):
        os.write(write, line * 640)
    os.close(write)
    assert ring.ended.wait(5)
    assert time.process_time() - before < 1.0
    assert ring.dropped == 160 * 64_000 - KEPT_HEAD - KEPT_TAIL


def test_an_endless_flood_waits_and_another_pipe_does_not(drainer: Drainer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ring_module, "BURST", 1_000_000)
    monkeypatch.setattr(ring_module, "RATE", 100)
    flooded, quiet = OutputRing(), OutputRing()
    flood_read, flood_write = os.pipe()
    quiet_read, quiet_write = os.pipe()
    drainer.add(flood_read, flooded)
    drainer.add(quiet_read, quiet)

    def flood() -> None:
        try:
            while True:
                os.write(flood_write, b"x" * 65_536)
        except BrokenPipeError:
            os.close(flood_write)

    thread = threading.Thread(target=flood)
    thread.start()
    while flooded.dropped < 900_000:
        pass
    os.write(quiet_write, b"still here\n")
    os.close(quiet_write)
    assert quiet.ended.wait(5)
    assert texts(quiet) == ["still here"]
    assert flooded.dropped < 1_200_000
    drainer.remove(flooded)
    thread.join(5)
    assert not thread.is_alive()


def test_the_last_lines_are_told_with_their_time_and_call_and_are_bounded() -> None:
    ring = OutputRing()
    ring.feed(b"started\n")
    ring.during = "call 7, turns: 3"
    ring.feed(b"one\ntwo\n")
    assert re.fullmatch(r"\[[\d.]+ s\] started\n(\[[\d.]+ s, call 7, turns: 3\] (one|two)\n?){2}", ring.last())
    ring.feed(b"y" * 50 + b"\n")
    assert ring.last(60).endswith("yyy") and len(ring.last(60)) <= 60
    ring.feed(b"z" * 50 + b"\n" + b"end\n")
    assert re.fullmatch(r"\[[\d.]+ s, call 7, turns: 3\] end", ring.last(80))
    assert OutputRing().last() == ""


def test_what_was_written_before_one_asks_is_there(drainer: Drainer) -> None:
    ring = OutputRing()
    read, write = os.pipe()
    drainer.add(read, ring)
    for number in range(200):
        os.write(write, b"%d\n" % number)
        assert ring.last().endswith(f" {number}")
    os.close(write)
    ring.ended.wait(5)
    assert ring.last().endswith(" 199")
