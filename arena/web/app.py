"""The pages put together: one application for one site. Nothing is made at import."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from fastapi import Depends, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from arena.web import api, csrf, errors
from arena.web.api.app import create_api
from arena.web.heads import Heads
from arena.web.pages import NAVIGATION, PAGES
from arena.web.security import KnownHosts, SafeHeaders, Timely, Utf8Forms
from arena.web.site import Settings, Site, static_folder
from arena.web.tracing import RequestIds

MOST_BYTES = 2**20
"""A request may have so large a body; a page that takes more says so by `max_body_size` at its route."""

BODY_S = 30.0
"""A body has to be there by then."""

SILENT: TelemetryConfig = {"auto_configure": False, "tracing": False, "metrics": False, "logs": False}
"""Nothing is told to anybody, whatever the environment says."""

FOR_EVER = "public, max-age=31536000, immutable"


class VersionedFiles(StaticFiles):
    """The static files, below a folder that is called by their version; under another name nothing is found."""

    def __init__(self, site: Site) -> None:
        super().__init__(directory=str(static_folder()))
        self._site = site

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with the file, which never changes under this address."""
        version, _, inner = path.partition("/")
        if version != self._site.version:
            raise HTTPException(404)
        response = await super().get_response(inner, scope)
        response.headers["cache-control"] = FOR_EVER
        return response


def create_app(settings: Settings) -> FastAPI:
    """The whole application: pages, static files, and what protects them."""

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        site.close()

    app = FastAPI(
        title="Least Score Arena",
        lifespan=life,
        docs_url=None,  # their scripts come from another host
        redoc_url=None,
        openapi_url=None,
        telemetry=SILENT,
    )

    @cache  # a list has hundreds of addresses, and each would be searched among all routes
    def pattern(name: str, keys: tuple[str, ...]) -> str:
        return str(app.url_path_for(name, **{key: f"{{{key}}}" for key in keys}))

    def address(name: str, **path: object) -> str:
        return pattern(name, tuple(path)).format_map(path)

    site = app.state.site = Site(settings, address, NAVIGATION)
    app.mount("/static", VersionedFiles(site), name="static")
    for page in PAGES:
        app.include_router(
            page, dependencies=[Depends(csrf.check_form)], include_in_schema=False, max_body_size=MOST_BYTES
        )
    programs = create_api(site, max_body_size=MOST_BYTES, telemetry=SILENT)
    app.state.described = programs.state.described
    app.mount(api.PATH, programs, name="api")
    errors.add_handlers(app)
    app.add_middleware(Heads)
    app.add_middleware(Utf8Forms)
    app.add_middleware(Timely, body_s=BODY_S)
    app.add_middleware(KnownHosts, allowed=settings.allowed_hosts)
    app.add_middleware(SafeHeaders)
    app.add_middleware(RequestIds)
    return app
