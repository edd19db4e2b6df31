"""A match as a page shows it, and the same steps for the script that moves on without a new page.

Both are made by one template, whose macros are the parts of the table: a step for the script is those that changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from arena.match.record import MatchRecord
from arena.web.refusal import Refusal
from arena.web.replay.frames import Frame, Kind, deal_frames
from arena.web.replay.seating import seating
from arena.web.view import View

PARTS = "replay_parts.html"

Query = Mapping[str, object]


class Moment(NamedTuple):
    """A step of a match: its deal, and the number of its frame in that deal."""

    deal: int
    frame: int


@dataclass(frozen=True)
class Table:
    """A match and how it is shown: names and pages of its bots by seat, and through whose eyes it is seen.

    `address` leads to the page with this query, `steps` to the steps of a deal, and `explanation` to what is thought of
    a turn, where something is.
    """

    record: MatchRecord
    names: Sequence[str]
    bots: Sequence[str | None]
    viewer: int | None
    address: Callable[[Query], str]
    steps: Callable[[int], str]
    explanation: Callable[[int], str] | None = None

    @cached_property
    def places(self) -> Sequence[str]:
        """Where the seats are put round the table; the viewer sits below."""
        seats = len(self.record.seats)
        round_it = seating(seats)
        return [round_it[(seat - (self.viewer or 0)) % seats] for seat in range(seats)]

    def at(self, frame: Frame, **more: object) -> str:
        """The address of the page at this step."""
        return self.address({**query(frame), "seat": _text(self.viewer), **more})

    def at_deal(self, deal: int, *, end: bool = False) -> str:
        """The address of the page at the beginning or the end of a deal."""
        return self.address({"deal": str(deal), "end": "true" if end else None, "seat": _text(self.viewer)})

    def is_explained(self, frame: Frame) -> bool:
        """Whether something is thought of what was done in this step, and may be told to the viewer."""
        by_arena = self.explanation is None or frame.actor is None or frame.kind is Kind.FORFEITED
        return not by_arena and frame.fault is None and self.viewer in (None, frame.actor)

    @property
    def turns(self) -> int:
        """How many turns the match had."""
        return sum(len(deal.turns) for deal in self.record.deals)


def query(frame: Frame) -> dict[str, object]:
    """How a step is asked for: a turn by its number in the match, the beginning and the end of a deal by the deal's."""
    if frame.turn is not None:
        return {"turn": str(frame.turn)}
    return {"deal": str(frame.deal), "end": "true" if frame.kind is Kind.ENDED else None}


def _text(number: int | None) -> str | None:
    """A number for an address, which leaves out what is false."""
    return None if number is None else str(number)


def find_moment(record: MatchRecord, turn: int | None, deal: int | None, *, end: bool) -> Moment:
    """The step that is asked for: a turn, else the beginning or the end of a deal, by default the first.

    Where there is no such turn or deal the Refusal says which there are.
    """
    if turn is None:
        at = deal or 0
        if at >= len(record.deals):
            last = len(record.deals) - 1
            raise Refusal(
                404, "there is no deal %(deal)s in this match: choose one of 0 to %(last)s", deal=at, last=last
            )
        return Moment(at, len(record.deals[at].turns) + 1 if end else 0)
    left = turn
    for number, dealt in enumerate(record.deals):
        if left < len(dealt.turns):
            return Moment(number, left + 1)
        left -= len(dealt.turns)
    last = turn - left - 1
    raise Refusal(404, "there is no turn %(turn)s in this match: choose one of 0 to %(last)s", turn=turn, last=last)


@dataclass(frozen=True)
class Replay:
    """A table at one of its steps, for `replay.html`; the deal of it is read when it is looked at."""

    view: View
    table: Table
    moment: Moment

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """All steps of the deal."""
        return deal_frames(self.table.record, self.moment.deal, self.table.viewer)

    @cached_property
    def parts(self) -> Any:
        """The macros of the template in the reader's language."""
        return _parts(self.view)

    @property
    def frame(self) -> Frame:
        """The step itself."""
        return self.frames[self.moment.frame]

    def slots(self) -> dict[str, Markup]:
        """The parts of the table at this step, by the names of their places on the page."""
        return _slots(self.parts, self.table, self.frame, None)

    def log(self) -> Markup:
        """All turns of the deal."""
        return Markup(self.parts.log(self.table, self.frames, self.moment.frame))  # noqa: S704 — a macro's output

    def links(self) -> dict[str, str | None]:
        """Where the first, previous, next and last step are; None where there is none."""
        far, at = _far(self.table, self.moment.deal), self.moment.frame
        before = self.table.at(self.frames[at - 1]) if at else far["previous"]
        following = self.table.at(self.frames[at + 1]) if at + 1 < len(self.frames) else far["next"]
        return {
            "first": far["first"] if before else None,
            "previous": before,
            "next": following,
            "last": far["last"] if following else None,
        }


def steps_document(view: View, table: Table, deal: int) -> dict[str, Any]:
    """The steps of a deal for the script: the address of each, and the parts of the table that it changes."""
    parts = _parts(view)
    frames = deal_frames(table.record, deal, table.viewer)
    return {
        "deal": deal,
        "own": table.steps(deal),
        "frames": [
            {"address": table.at(frame), "slots": _slots(parts, table, frame, before)}
            for frame, before in zip(frames, (None, *frames), strict=False)
        ],
        "log": parts.log(table, frames, None),
        "far": _far(table, deal),
        "steps": {name: None if to is None else table.steps(to) for name, to in _deals(table, deal).items()},
    }


def _deals(table: Table, deal: int) -> dict[str, int | None]:
    """The first deal, those beside this one, and the last."""
    last = len(table.record.deals) - 1
    return {
        "first": 0,
        "previous": deal - 1 if deal else None,
        "next": deal + 1 if deal < last else None,
        "last": last,
    }


def _far(table: Table, deal: int) -> dict[str, str | None]:
    """The pages of the steps that lie in other deals: the first of all, those beside this deal, the last of all."""
    ends = {"previous": True, "last": True}
    return {
        name: None if to is None else table.at_deal(to, end=ends.get(name, False))
        for name, to in _deals(table, deal).items()
    }


def _parts(view: View) -> Any:
    """The macros of the template in the reader's language."""
    return view.site.templates[view.language.code].get_template(PARTS).make_module({"view": view})


def _slots(parts: Any, table: Table, frame: Frame, before: Frame | None) -> dict[str, Markup]:
    """The parts of the table after a step; only those that differ from the step before, where there is one."""
    made = {name: getattr(parts, name)(table, frame) for name in ("where", "said", "middle", "thought")}
    for seat, shown in enumerate(frame.seats):
        if before is None or shown != before.seats[seat]:
            made[f"seat-{seat}"] = parts.seat(table, shown)
    return made
