"""The pages, a module each with a router each; no page imports another. A new page joins by a line in `PAGES`, and by
one in `NAVIGATION` if every page is to lead to it."""

from __future__ import annotations

from arena.web.pages import account, language, match, matches, ranking, signing
from arena.web.site import NavigationItem

PAGES = (ranking.router, matches.router, match.router, language.router, signing.router, account.router)

NAVIGATION = (
    NavigationItem("ranking", "Ranking"),
    NavigationItem("matches", "Matches"),
    NavigationItem("account", "Your bots"),
)
