"""A game as its person's page shows it, and the same steps for the script that shows them one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from arena.game.cards import total
from arena.web.play.game import Game, Now, Phase
from arena.web.replay.frames import Frame, Kind
from arena.web.replay.seating import seating
from arena.web.view import View

PARTS = ("play_parts.html", "replay_parts.html")
"""Where the parts of a table are looked for, in this order."""


class Chosen(NamedTuple):
    """What was chosen in a form that is shown again: the cards to throw, and what to take."""

    thrown: Sequence[int] = ()
    take: str = ""


NOTHING = Chosen()


@dataclass(frozen=True)
class Sight:
    """A game at a moment, with its frames from some number on; `chosen` is what the form has already."""

    view: View
    game: Game
    now: Now
    frames: tuple[Frame, ...]
    chosen: Chosen = NOTHING

    @classmethod
    def of(cls, view: View, game: Game, since: int = 0, chosen: Chosen = NOTHING) -> Sight:
        """How a game stands."""
        return cls(view, game, *game.frames(since), chosen)

    @property
    def viewer(self) -> int:
        """The person's seat."""
        return self.game.setup.seat

    @cached_property
    def names(self) -> list[str]:
        """What the seats are called."""
        return [name or self.view.language.gettext("You") for name in self.game.setup.names]

    @property
    def bots(self) -> list[None]:
        """No seat leads to a page."""
        return [None] * len(self.names)

    @cached_property
    def places(self) -> list[str]:
        """Where the seats are put round the table: the person below, the others clockwise."""
        seats = len(self.names)
        return [seating(seats)[(seat - self.viewer) % seats] for seat in range(seats)]

    @property
    def is_yours(self) -> bool:
        """Whether the person is to act."""
        return self.now.phase is Phase.YOURS

    @property
    def total(self) -> int:
        """What the person's hand is worth."""
        return total(self.now.seen.hand) if self.now.seen else 0

    @property
    def address(self) -> str:
        """Where the person's form goes."""
        return self.view.url("play_table", game=self.game.id)

    @property
    def latest(self) -> Frame | None:
        """The last thing that happened."""
        return self.frames[-1] if self.frames else None

    def news(self) -> list[Markup]:
        """What happened since the person's last turn, that turn first, a sentence each."""
        own = (place for place, frame in enumerate(self.frames) if frame.actor == self.viewer)
        last = max(own, default=0)
        return [self._part("said", frame) for frame in self.frames[last:]]

    def slots(self) -> Mapping[str, Markup]:
        """The parts of the table as it is now, with the person's form on its turn, by the names of their places."""
        made = {"after": self._part("after")}
        if self.latest is not None:
            made |= self._slots(self.latest)
            if self.is_yours:
                made |= {"middle": self._part("my_middle", self.latest)}
                made |= {f"seat-{self.viewer}": self._part("my_seat", self.latest.seats[self.viewer])}
        return made

    def document(self) -> dict[str, Any]:
        """What is new, for the script: steps to show one after the other, and how the table looks then."""
        return {
            "steps": list(map(self._step, self.frames)),
            "slots": self.slots(),
            "over": self.now.phase.has_ended,
        }

    def _step(self, frame: Frame) -> dict[str, Any]:
        """A step; the end of a deal that the person was in waits until it has been looked at."""
        was_in = bool(frame.seats[self.viewer].cards)
        waits = frame.kind is Kind.ENDED and was_in
        return {"slots": {**self._slots(frame), "after": ""}, "own": frame.actor == self.viewer, "waits": waits}

    @cached_property
    def _parts(self) -> Sequence[Any]:
        templates = self.view.site.templates[self.view.language.code]
        return [templates.get_template(name).make_module({"view": self.view}) for name in PARTS]

    def _part(self, name: str, *shown: object) -> Markup:
        macro = next(found for parts in self._parts if (found := getattr(parts, name, None)) is not None)
        return Markup(macro(self, *shown))  # noqa: S704 — what a macro makes is escaped

    def _slots(self, frame: Frame) -> dict[str, Markup]:
        made = {name: self._part(name, frame) for name in ("where", "said", "middle")}
        return made | {f"seat-{shown.seat}": self._part("seat", shown) for shown in frame.seats}
