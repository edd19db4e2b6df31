"""Parameters that are wrong. One that no operation has is a slip of the pen: better told than left out of what was
meant."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute

from arena.web.queries import wrong


def names_checked(described: Callable[[], Mapping[str, Any]]) -> Callable[[Request], Awaitable[None]]:
    """What refuses with 422 a query with a parameter that is not in the description of its operation."""

    @cache
    def known() -> dict[str, list[str]]:
        operations = [one for path in described()["paths"].values() for one in path.values()]
        return {
            one["operationId"]: [each["name"] for each in one.get("parameters", ()) if each["in"] == "query"]
            for one in operations
        }

    async def check(request: Request) -> None:
        route = request.scope["route"]
        assert isinstance(route, APIRoute)
        names = known()[route.name]
        for name in request.query_params:
            if name not in names:
                there = f"there are {', '.join(names)}" if names else "there is none"
                raise wrong(name, f"there is no such parameter here; {there}")

    return check
