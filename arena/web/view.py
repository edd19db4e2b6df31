"""One request as a page sees it: the site, the reader's language, and the ways to answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, Response

from arena.store.results import Results
from arena.web import csrf, i18n
from arena.web.conditional import conditional
from arena.web.i18n import Language
from arena.web.site import Site

REVALIDATE = {"cache-control": "private, no-cache", "vary": "Accept-Language, Cookie"}
"""A browser may keep a page, but asks each time whether it is still the same."""

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class View:
    """What a page is given. Raises StoreEmptyError and StoreError where nothing can be read; `errors.py` answers."""

    site: Site
    request: Request
    language: Language

    @property
    def results(self) -> Results:
        """What can be read of the database, for as long as this request."""
        return self.site.database.results()

    def url(self, name: str, query: dict[str, object] | None = None, **path: object) -> str:
        """The address of a route by its name; what is None, False or "" in the query is left out, and 0 is not."""
        wanted = {key: value for key, value in (query or {}).items() if value not in (None, "") and value is not False}
        return self.site.address(name, **path) + (f"?{urlencode(wanted)}" if wanted else "")

    def here(self, **changes: object) -> str:
        """The address of this page with another query: what is None is left out, all else stays."""
        wanted = {**self.request.query_params, **changes}
        query = urlencode({key: value for key, value in wanted.items() if value not in (None, "")})
        return self.request.url.path + (f"?{query}" if query else "")

    def bot(self, digest: bytes) -> str:
        """The address of a bot's page."""
        return f"/bots/{digest.hex()}"

    def is_at(self, route: str) -> bool:
        """Whether this page is the one of this route, or lies below it."""
        here, there = self.request.url.path, self.url(route)
        return here == there or (there != "/" and here.startswith(f"{there}/"))

    def render(self, template: str, **values: object) -> str:
        """The text of a template in the reader's language."""
        page = self.site.templates[self.language.code].get_template(template)
        return page.render(view=self, languages=self.site.languages.values(), **values)

    def page(self, template: str, status: int = 200, **values: object) -> HTMLResponse:
        """A whole page that is made for this reader alone, which may hold forms."""
        answer = HTMLResponse(self.render(template, **values), status)
        csrf.keep_token(self.request, answer)
        return answer

    def kept(
        self, render: Callable[[], str | bytes], *, version: str | None = None, media_type: str = HTML
    ) -> Response:
        """A page (without POST forms) or picture that depends on the database, the address and the language alone.

        It is made once a change of the database (or of `version`, where a page knows better what it is made of), and
        not sent to whoever has it already.
        """
        of = self.site.database.version() if version is None else version

        def body() -> bytes:
            made = render()
            return made.encode() if isinstance(made, str) else made

        return conditional(self.site.kept, self.request, (of, self.language.code), body, REVALIDATE, media_type)

    @property
    def form_token(self) -> str:
        """For the hidden field of a form: see `arena.web.csrf`."""
        return csrf.form_token(self.request)


async def view_of(request: Request) -> View:
    """The view of a request."""
    site: Site = request.app.state.site
    code = i18n.choose(request.cookies.get(i18n.COOKIE), request.headers.get("accept-language", ""))
    return View(site, request, site.languages[code])


Viewing = Annotated[View, Depends(view_of)]
"""What a page declares as its argument to be given a view."""
