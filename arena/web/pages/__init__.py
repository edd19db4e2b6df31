"""The pages, a module each with a router each; no page imports another. A new page joins by a line in `PAGES`, and by
one in `NAVIGATION` if every page is to lead to it."""

from __future__ import annotations

from arena.web.pages import (
    account,
    audit,
    bot,
    bots,
    game,
    head_to_head,
    language,
    match,
    matches,
    organise,
    play,
    play_table,
    programs,
    ranking,
    rules,
    signing,
    submit,
    tournament,
    tournament_entries,
    tournament_rounds,
    tournaments,
)
from arena.web.site import NavigationItem

PAGES = (
    ranking.router,
    head_to_head.router,
    bots.router,
    bot.router,
    tournaments.router,
    tournament.router,
    tournament_entries.router,
    tournament_rounds.router,
    organise.router,
    matches.router,
    match.router,
    play.router,
    play_table.router,
    game.router,
    rules.router,
    programs.router,
    language.router,
    signing.router,
    account.router,
    submit.router,
    audit.router,
)

NAVIGATION = (
    NavigationItem("ranking", "Ranking"),
    NavigationItem("head_to_head", "Head to head"),
    NavigationItem("bots", "Bots"),
    NavigationItem("tournaments", "Tournaments"),
    NavigationItem("matches", "Matches"),
    NavigationItem("play", "Play"),
    NavigationItem("rules", "Rules"),
    NavigationItem("account", "Your bots"),
)
