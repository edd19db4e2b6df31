"""The pages, a module each with a router each; no page imports another. A new page joins by a line in `PAGES`, and by
one in `NAVIGATION` if every page is to lead to it."""

from __future__ import annotations

from arena.web.pages import language, ranking
from arena.web.site import NavigationItem

PAGES = (ranking.router, language.router)

NAVIGATION = (NavigationItem("ranking", "Ranking"),)
