"""The pages, a module each with a router each; no page imports another. A new page joins by a line in `PAGES`, and by
one in `NAVIGATION` if every page is to lead to it."""

from __future__ import annotations

from arena.web.pages import account, language, ranking, signing
from arena.web.site import NavigationItem

PAGES = (ranking.router, language.router, signing.router, account.router)

NAVIGATION = (NavigationItem("ranking", "Ranking"), NavigationItem("account", "Your bots"))
