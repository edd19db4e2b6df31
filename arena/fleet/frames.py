"""The frames between a slot and its supervisor: a JSON head and a blob of bytes, each with its length in front."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from arena.bots.credentials import Credentials
from arena.bots.remote import Access, parse_address
from arena.fleet.engine import BlockJob, Job, Outcome, OutcomeKind, Progress, SlotSetup, Source
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.tournament.draw import DrawnMatch
from arena.tournament.habits import Habit, HabitCount
from arena.tournament.ports import BlockResult, BotEvent, BotEventKind, MatchResult, SeatResult

_LENGTHS = struct.Struct(">II")

Head = dict[str, Any]


class Frame(NamedTuple):
    """One frame."""

    head: Head
    blob: bytes


def write_frame(stream: BinaryIO, head: Head, blob: bytes = b"") -> None:
    """Write one frame and flush it."""
    text = json.dumps(head, separators=(",", ":")).encode()
    stream.write(_LENGTHS.pack(len(text), len(blob)) + text + blob)
    stream.flush()


def read_frame(stream: BinaryIO) -> Frame | None:
    """Read one frame; None at the end of the stream, also in the middle of a frame."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_size, blob_size = _LENGTHS.unpack(lengths)
    head, blob = stream.read(head_size), stream.read(blob_size)
    if len(head) < head_size or len(blob) < blob_size:
        return None
    return Frame(json.loads(head), blob)


def _source_row(source: Source) -> str | list[str]:
    if isinstance(source, Path):
        return str(source)
    own = source.credentials
    return [str(source.address), own.authorities, own.certificate, own.key, own.token]


def _read_source(row: str | list[str]) -> Source:
    if isinstance(row, str):
        return Path(row)
    address, *credentials = row
    return Access(parse_address(address), Credentials(*credentials))


def setup_head(setup: SlotSetup) -> Head:
    """A slot's setup as a frame's head. It may hold tokens and keys, which is why it travels like a job."""
    limits = setup.process_limits
    return {
        "variant": setup.variant.as_dict(),
        "limits": setup.limits.as_dict(),
        "process_limits": [limits.start_ms, limits.conclude_ms, limits.shutdown_ms],
        "bots": {digest.hex(): _source_row(source) for digest, source in setup.bots.items()},
        "tables": setup.tables,
        "calls": setup.calls,
        "warm": setup.warm,
        "core": setup.core,
        "sandbox": setup.sandbox,
    }


def read_setup(head: Head) -> SlotSetup:
    """The inverse of `setup_head`."""
    return SlotSetup(
        variant=Variant.from_dict(head["variant"]),
        limits=Limits.from_dict(head["limits"]),
        process_limits=ProcessLimits(*head["process_limits"]),
        bots={bytes.fromhex(digest): _read_source(row) for digest, row in head["bots"].items()},
        tables=head["tables"],
        calls=head["calls"],
        warm=head["warm"],
        core=head["core"],
        sandbox=head["sandbox"],
    )


def job_head(job: Job) -> Head:
    """A job as a frame's head. It holds seeds, which is why it travels through a pipe and nothing else."""
    return {
        "blocks": [
            {
                "id": block.block_id.hex(),
                "attempt": block.attempt,
                "rotations": [[[bot.hex() for bot in match.seats], match.seed.hex()] for match in block.rotations],
            }
            for block in job.blocks
        ]
    }


def read_job(head: Head) -> Job:
    """The inverse of `job_head`."""
    return Job(
        tuple(
            BlockJob(
                bytes.fromhex(block["id"]),
                block["attempt"],
                tuple(
                    DrawnMatch(tuple(bytes.fromhex(bot) for bot in seats), bytes.fromhex(seed))
                    for seats, seed in block["rotations"]
                ),
            )
            for block in head["blocks"]
        )
    )


def result_frame(result: BlockResult, events: Sequence[BotEvent] = ()) -> Frame:
    """A complete block as a frame, with what happened to bots; the packed records follow each other in the blob."""
    matches = [
        [
            match.rotation,
            match.digest.hex(),
            len(match.record),
            match.deals,
            match.turns,
            [[seat.bot.hex(), *seat[1:]] for seat in match.seats],
            [[[habit.value, value, n] for habit, value, n in seat] for seat in match.habits],
        ]
        for match in result.matches
    ]
    head = {
        "kind": "ok",
        "block": result.block_id.hex(),
        "attempt": result.attempt,
        "matches": matches,
        "events": [_event_row(event) for event in events],
    }
    return Frame(head, b"".join(match.record for match in result.matches))


def _read_result(frame: Frame) -> BlockResult:
    matches, start = [], 0
    for rotation, digest, size, deals, turns, seats, habits in frame.head["matches"]:
        record, start = frame.blob[start : start + size], start + size
        results = tuple(SeatResult(bytes.fromhex(bot), *rest) for bot, *rest in seats)
        played = tuple(tuple(HabitCount(Habit(kind), value, n) for kind, value, n in seat) for seat in habits)
        matches.append(MatchResult(rotation, bytes.fromhex(digest), record, deals, turns, results, played))
    return BlockResult(bytes.fromhex(frame.head["block"]), frame.head["attempt"], tuple(matches))


def _event_row(event: BotEvent) -> list[Any]:
    block = event.block_id.hex() if event.block_id is not None else None
    where = [block, event.rotation, event.turn]
    return [event.bot.hex(), event.kind.value, event.at.timestamp(), event.fault, event.reason, event.output, *where]


def _read_event(row: list[Any]) -> BotEvent:
    bot, kind, at, fault, reason, output, block, rotation, turn = row
    place = bytes.fromhex(block) if block is not None else None, rotation, turn
    when = datetime.fromtimestamp(at, UTC)
    return BotEvent(bytes.fromhex(bot), BotEventKind(kind), when, fault, reason, output, *place)


def error_frame(block: BlockJob, reason: str, unstartable: bytes | None, events: Sequence[BotEvent] = ()) -> Frame:
    """A block that brought nothing, and why, with what happened to bots."""
    head = {
        "kind": "error",
        "block": block.block_id.hex(),
        "attempt": block.attempt,
        "reason": reason,
        "bot": unstartable.hex() if unstartable else None,
        "events": [_event_row(event) for event in events],
    }
    return Frame(head, b"")


def progress_frame(matches: int) -> Frame:
    """A sign of life."""
    return Frame({"kind": "progress", "matches": matches}, b"")


ROOM = Frame({"kind": "room"}, b"")
"""The slot has begun all that it was given, and has tables left."""


def read_report(frame: Frame, worker: str, *, alone: bool) -> Outcome | Progress | None:
    """What a slot's frame reports; None when it has room for another job."""
    head = frame.head
    if head["kind"] == "room":
        return None
    if head["kind"] == "progress":
        return Progress(head["matches"])
    block_id, attempt = bytes.fromhex(head["block"]), head["attempt"]
    events = tuple(_read_event(row) for row in head["events"])
    if head["kind"] == "ok":
        return Outcome(block_id, attempt, OutcomeKind.OK, worker, alone, _read_result(frame), events=events)
    bot = bytes.fromhex(head["bot"]) if head["bot"] else None
    return Outcome(block_id, attempt, OutcomeKind.ERROR, worker, alone, None, head["reason"], bot, events)
