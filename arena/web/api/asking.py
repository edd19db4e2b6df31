"""One request as the API sees it, and the ways to answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel

from arena.store.repository import TournamentName
from arena.store.results import Results
from arena.web.conditional import conditional
from arena.web.site import Site

JSON = "application/json"

REVALIDATE = {"cache-control": "no-cache"}
"""Anybody may keep it, and asks each time whether it is still the same."""

PRIVATE = {"cache-control": "private, no-store"}


@dataclass(frozen=True)
class Asked:
    """What an operation is given. Raises as the store does; `arena.web.errors` answers."""

    site: Site
    request: Request

    @property
    def results(self) -> Results:
        """What can be read of the database, for as long as this request."""
        return self.site.database.results()

    def tournament(self, word: str | None) -> TournamentName:
        """The tournament with this id, name or beginning of an id; the latest for None."""
        tournaments = self.results.tournaments
        return tournaments.names(1)[0] if word is None else tournaments.name(word)

    def kept(
        self, make: Callable[[], BaseModel | bytes], *, version: str | None = None, media_type: str = JSON
    ) -> Response:
        """What depends on nothing but the database (or `version`) and the address: made once a change, and not sent
        to whoever has it already."""
        of = self.site.database.version() if version is None else version

        def body() -> bytes:
            made = make()
            return made if isinstance(made, bytes) else made.model_dump_json().encode()

        return conditional(self.site.kept, self.request, (of, "api"), body, REVALIDATE, media_type)

    def private(self, made: BaseModel, status: int = 200) -> Response:
        """What is for the bearer of a token alone."""
        return Response(made.model_dump_json(), status, PRIVATE, JSON)


async def asked_of(request: Request) -> Asked:
    """What stands behind a request."""
    return Asked(request.app.state.site, request)


Asking = Annotated[Asked, Depends(asked_of)]
"""What an operation declares as its argument."""
