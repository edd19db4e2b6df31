"""Every page with an address of it: a new page joins the tests of all pages by a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from arena.store.exporting import read_record
from arena.store.results import Results
from arena.web import accounts


class Stored(NamedTuple):
    """What the addresses of pages are made of: things that are in the database."""

    tournament: str
    bot: str
    other_bot: str
    match: str
    fatal: int
    """The deal of the match in which somebody was knocked out."""
    session: str = ""
    """Of an organiser who has bots, too."""
    own_bot: str = ""
    upload: str = ""
    game: str = ""


class Page(NamedTuple):
    """A page: the name of its route, its address for what is stored, and whether it is for who has signed in."""

    route: str
    address: Callable[[Stored], str]
    signed_in: bool = False

    def reader(self, stored: Stored) -> dict[str, Any]:
        """Who looks at it, as options of a browser's context."""
        if not self.signed_in:
            return {}
        cookie = {"name": accounts.COOKIE, "value": stored.session, "domain": "127.0.0.1", "path": "/", "expires": -1}
        cookie |= {"httpOnly": True, "secure": False, "sameSite": "Lax"}
        return {"storage_state": {"cookies": [cookie], "origins": []}}


PAGES = (
    Page("ranking", lambda _: "/"),
    Page("ranking", lambda stored: f"/?tournament={stored.tournament}&clean=true&sort=-points"),
    Page("ranking", lambda _: "/?seats=9"),
    Page("head_to_head", lambda stored: f"/head-to-head?tournament={stored.tournament}"),
    Page("bots", lambda _: "/bots"),
    Page("bots", lambda _: "/bots?name=nobody"),
    Page("bot", lambda stored: f"/bots/{stored.bot}"),
    Page("tournaments", lambda _: "/tournaments"),
    Page("tournament", lambda stored: f"/tournaments/{stored.tournament}"),
    Page("tournament_entries", lambda stored: f"/tournaments/{stored.tournament}/entries"),
    Page("tournament_rounds", lambda _: "/tournaments/Spring%20swiss/rounds"),
    Page("matches", lambda _: "/matches"),
    Page("matches", lambda stored: f"/matches?tournament={stored.tournament}&bots={stored.bot},{stored.other_bot}"),
    Page("match", lambda stored: f"/matches/{stored.match}"),
    Page("match", lambda stored: f"/matches/{stored.match}?turn=5&explain=true"),
    Page("match", lambda stored: f"/matches/{stored.match}?deal=1&end=true&seat=1"),
    Page("match", lambda stored: f"/matches/{stored.match}?deal={stored.fatal}&end=true"),
    Page("organise", lambda _: "/organise", signed_in=True),
    Page("play", lambda _: "/play"),
    Page("game", lambda stored: f"/games/{stored.game}?turn=3"),
    Page("rules", lambda _: "/rules"),
    Page("programs", lambda _: "/programs"),
    Page("sign_in", lambda _: "/sign-in"),
    Page("account", lambda _: "/account", signed_in=True),
    Page("bot_log", lambda stored: f"/account/log/{stored.own_bot}", signed_in=True),
    Page("submit", lambda _: "/submit", signed_in=True),
    Page("upload", lambda stored: f"/submit/{stored.upload}", signed_in=True),
    Page("audit", lambda _: "/audit", signed_in=True),
)

NOT_PAGES = {
    "bot_rating",
    "bot_declarations",
    "bot_times",
    "language",
    "tournament_live",
    "run",
    "match_steps",
    "match_explanation",
    "match_export",
    "game_export",
    "play_table",
    "play_news",
    "play_hint",
    "game_steps",
    "game_explanation",
}
"""Routes that answer with something else or to one reader alone, and where they are tested: see test_i18n.py,
test_bots.py, test_tournament.py, test_match.py, test_play.py, test_play_browser.py, test_game.py."""


def stored_in(results: Results) -> Stored:
    """The latest tournament, two of its bots and a match."""
    tournament = results.tournaments.latest().tournament
    match = results.matches.matches(tournament=tournament.id, limit=1)[0]
    address = f"{tournament.id}/{match.block_id.hex()}/{match.rotation}"
    deals = read_record(results.matches.find(address)).deals
    fatal = next((deal for deal, later in enumerate(deals[1:]) if None in later.hands), 0)
    one, other, *_ = (entry.digest.hex() for entry in tournament.entries)
    return Stored(tournament.id, one, other, address, fatal)
