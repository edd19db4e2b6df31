"""What all pages with a replay have in common: how a step is asked for, and the answers beside the page itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Path
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from arena.match.record import MatchRecord
from arena.web.explanations import options
from arena.web.queries import OrBlank
from arena.web.refusal import Refusal
from arena.web.replay.showing import Replay, Table, find_moment, steps_document
from arena.web.view import View

MANY = 10**9

Number = Annotated[int, Path(ge=0, lt=MANY)]
Asked = OrBlank[Annotated[int, Field(ge=0, lt=MANY)]]


class Step(NamedTuple):
    """Which step is asked for, through the eyes of which seat, and whether it is to be explained."""

    turn: int | None
    deal: int | None
    end: bool
    seat: int | None
    explain: bool


def step_of(
    turn: Asked = None, deal: Asked = None, end: bool = False, seat: Asked = None, explain: bool = False
) -> Step:
    """The step that a query asks for, by default the first."""
    return Step(turn, deal, end, seat, explain)


Stepping = Annotated[Step, Depends(step_of)]
"""What a page declares as its argument to be told the step."""


@dataclass(frozen=True)
class Watched:
    """A record that a page shows: `digest` stands for it, `version` for all that the page depends on.

    `route` with `path` is the page, and `route_steps` and `route_explanation` are the answers beside it.
    """

    view: View
    record: MatchRecord
    names: Sequence[str]
    bots: Sequence[str | None]
    digest: bytes
    version: str
    route: str
    path: Mapping[str, Any]

    def table(self, viewer: int | None) -> Table:
        """The table as this seat sees it, or as whoever sees all hands."""
        if viewer is not None and viewer >= len(self.record.seats):
            raise Refusal(404, "there is no seat %(seat)s at this table", seat=viewer)
        view, route, path = self.view, self.route, self.path
        seen: dict[str, object] = {} if viewer is None else {"seat": str(viewer)}
        return Table(
            self.record,
            self.names,
            self.bots,
            viewer,
            address=lambda query: view.url(route, dict(query), **path),
            steps=lambda deal: view.url(f"{route}_steps", seen, **path, deal=deal),
            explanation=lambda turn: view.url(f"{route}_explanation", **path, turn=turn),
        )

    def replay(self, step: Step) -> Replay:
        """The table at a step."""
        moment = find_moment(self.record, step.turn, step.deal, end=step.end)
        return Replay(self.view, self.table(step.seat), moment)

    def explained(self, step: Step, shown: Replay) -> dict[str, Any] | None:
        """What `explanation.html` is given, if that is asked for and there is something to explain."""
        turn = shown.frame.turn
        if not step.explain or turn is None or not shown.table.is_explained(shown.frame):
            return None
        return self._explanation(turn)

    def steps(self, deal: int, viewer: int | None) -> Response:
        """The steps of a deal for the script of the page."""
        find_moment(self.record, None, deal, end=False)
        table = self.table(viewer)

        def render() -> bytes:
            return bytes(JSONResponse(steps_document(self.view, table, deal)).body)

        return self.view.kept(render, version=self.version, media_type="application/json")

    def explanation(self, turn: int) -> Response:
        """What is thought of a turn, as a part of the page."""
        values = self._explanation(turn)
        return self.view.kept(lambda: self.view.render("explanation.html", **values), version=self.version)

    def download(self, line: Callable[[], str], name: str) -> Response:
        """The record as a file to keep, one line of JSON."""
        answer = self.view.kept(lambda: line() + "\n", version=self.version, media_type="application/json")
        answer.headers["content-disposition"] = f'attachment; filename="{self.route}-{name}.json"'
        return answer

    def _explanation(self, turn: int) -> dict[str, Any]:
        one = self.view.site.explanations.of(self.record, self.digest, turn)
        return {"one": one, "options": options(one.judgement) if one.judgement else []}
