"""`/programs`: what the API has, for those who write programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter
from fastapi.responses import Response

from arena.web.api import PATH
from arena.web.view import Viewing

router = APIRouter()


class Operation(NamedTuple):
    """One operation of the API; its words are those of its description, in English."""

    method: str
    path: str
    told: str
    needs_token: bool


@router.get("/programs", name="programs")
def programs(view: Viewing) -> Response:
    """All operations, from the same description that programs read."""
    described: Mapping[str, Any] = view.request.app.state.described()
    address = f"{view.request.base_url}{PATH[1:]}"
    return view.kept(
        lambda: view.render("programs.html", address=address, path=PATH, operations=list(_operations(described))),
        version=address,
    )


def _operations(described: Mapping[str, Any]) -> Iterator[Operation]:
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            yield Operation(method.upper(), path, one["description"].split("\n\n")[0], "security" in one)
