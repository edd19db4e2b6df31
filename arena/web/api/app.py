"""The API put together: an application for one site, which that of the pages holds at `PATH`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from json import dumps
from typing import Any

from fastapi import Depends, FastAPI, Response
from fastapi.openapi.utils import get_openapi
from fastapi.telemetry import TelemetryConfig

from arena.web import errors
from arena.web.api import PATH, bots, matches, rankings, submissions, tournaments
from arena.web.api.asking import Asking
from arena.web.api.limiting import Limited, Told
from arena.web.api.parameters import names_checked
from arena.web.api.schema import completed
from arena.web.site import Site

ROUTERS = (rankings.router, bots.router, tournaments.router, matches.router, submissions.router)

ABOUT = """What the arena's pages show, for programs.

Listings come in parts: an answer has `items`, and `next` for the `cursor` of the next part. Every read has an `ETag`:
send it back as `If-None-Match`, and what has not changed is not sent again. Failures are problem details (RFC 9457).
Only finished blocks are ever shown. Whoever asks too often is told so with 429 and `Retry-After`."""


def create_api(site: Site, max_body_size: int, telemetry: TelemetryConfig) -> FastAPI:
    """The application, with what it shares with that of the pages."""
    api = FastAPI(
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        telemetry=telemetry,
    )
    api.state.site = site

    @cache
    def described() -> dict[str, Any]:
        made = get_openapi(
            title="Least Score Arena",
            version=version("least-score-arena"),
            description=ABOUT,
            routes=api.routes,
            servers=[{"url": PATH}],
        )
        return completed(made)

    @api.get("/openapi.json", name="openapi", include_in_schema=False)
    def openapi(asked: Asking) -> Response:
        """The description of all operations."""
        return asked.kept(lambda: dumps(described()).encode(), version="")

    api.state.described = described
    checked = [Depends(names_checked(described))]
    for router in ROUTERS:
        api.include_router(router, max_body_size=max_body_size, dependencies=checked)
    errors.add_handlers(api)
    api.add_middleware(Told)
    api.add_middleware(Limited, allowance=site.api_requests)
    return api
