"""Nothing of a block that is not finished is anywhere, whoever looks: all pages, pictures, streams and files are walked
while a tournament is played."""

from __future__ import annotations

import re
import shutil
from base64 import b64encode, urlsafe_b64encode
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urldefrag, urlsplit

import pytest
from httpx2 import Client, Response

from arena.game.variant import Variant
from arena.store.accounts import Accounts
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.store.roles import Role
from arena.store.submissions import Submission, Submissions
from arena.tournament.draw import draw_block
from arena.tournament.planning import next_round
from arena.tournament.ports import BotEvent, BotEventKind, PlannedBlock, VoidCause
from arena.web.accounts import COOKIE
from tests.cli.stored import block_result
from tests.tournament.playing import Manners, bots, tournament
from tests.web.serving import served
from tests.web.signing import token_in

NOW = datetime(2026, 1, 2, tzinfo=UTC)
HAND = "my hand is the king of spades"
"""What a bot prints while a block is played."""

LEAGUE = replace(
    tournament(bots(4), 2, Variant(threshold=25), deals=2),
    id="league123456",
    name="League",
    secret=bytes(range(100, 132)),
)
FINISHED = 3
MOST_OF_A_KIND = 3
"""So many addresses are followed that differ in numbers only."""

ATTRIBUTE = re.compile(r'\b(?:href|src|action|content|data-[a-z-]+)="(/[^"]*)"')
BEING_PLAYED = ("/", "/deals/0", "/turns/0/explanation", "/turns/5/explanation", "/export", "?turn=5&explain=true")


class Played(NamedTuple):
    """A database in which a tournament is played, and the blocks of it that are not finished."""

    path: Path
    unfinished: tuple[PlannedBlock, ...]

    @property
    def secrets(self) -> tuple[str, ...]:
        """What nobody may see, in all ways of writing it."""
        seeds = {match.seed for block in self.unfinished for match in draw_block(LEAGUE, block, 1)}
        raw = (LEAGUE.secret, *sorted(seeds))
        return (
            HAND,
            *(text for one in raw for text in (one.hex(), b64encode(one).decode(), urlsafe_b64encode(one).decode())),
        )


@pytest.fixture(scope="module")
def played(made_up: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Some blocks of a tournament are finished; one failed, was noted with what a bot printed, and is played again."""
    path = Path(shutil.copy(made_up, tmp_path_factory.mktemp("unfinished") / "arena.db"))
    plan = tuple(next_round(LEAGUE))
    with open_store(f"sqlite:///{path}", write=True) as store:
        for bot in LEAGUE.entries:
            Submissions(store).add(Submission(bot.name, bot.version, bot.digest, "ada", "", NOW), {}, b"")
        Repository(store).create_tournament(LEAGUE, plan)
        ledger = SqlLedger(store)
        with ledger.lead(LEAGUE.id) as epoch:
            finished = ledger.claim(LEAGUE.id, epoch, FINISHED)
            (failed,) = ledger.claim(LEAGUE.id, epoch, 1)
            for claimed in finished:
                result = block_result(LEAGUE, claimed, Manners(fault_rate=0.01))
                ledger.complete(LEAGUE.id, epoch, result, _printed(claimed.block))
            ledger.void(
                LEAGUE.id, epoch, failed.block.block_id, VoidCause.ERROR, "lost", _printed(failed.block), alone=True
            )
            ledger.claim(LEAGUE.id, epoch, 2)
            done = {claimed.block.block_id for claimed in finished}
            yield Played(path, tuple(block for block in plan if block.block_id not in done))


def _printed(block: PlannedBlock) -> list[BotEvent]:
    """What the bots of a block had to say while it and others were played."""
    return [
        BotEvent(bot, BotEventKind.FAULT, NOW, "REFUSED", HAND, HAND, block.block_id, rotation=0, turn=3)
        for bot in block.lineup
    ]


@contextmanager
def reader(address: str, path: Path, role: Role | None) -> Iterator[Client]:
    """Somebody who reads: a stranger, or the owner of all bots with the token of a role, by cookie and by bearer."""
    with Client(base_url=address, timeout=60) as client:
        if role is not None:
            secret = token_in(path, "ada", role)
            with open_store(f"sqlite:///{path}", write=True) as store:
                session = Accounts(store).sign_in(secret, datetime.now(UTC), "127.0.0.1")
            client.cookies.set(COOKIE, str(session))
            client.headers["authorization"] = f"Bearer {secret}"
        yield client


@pytest.mark.slow
@pytest.mark.parametrize("role", [None, *Role], ids=str)
def test_nothing_of_a_block_that_is_played_is_anywhere(played: Played, role: Role | None) -> None:
    with served(played.path) as address, reader(address, played.path, role) as client:
        kinds: Counter[str] = Counter()
        for answer in walk(client, [*starts(client), *addresses_of_unfinished(played)]):
            kinds[kind_of(str(answer.url))] += 1
            assert answer.status_code < 500, answer.url
            found = [secret for secret in played.secrets if secret in answer.text or secret.encode() in answer.content]
            assert found == [], answer.url
        assert len(kinds) > (40 if role is None else 45), kinds
        for path in addresses_of_unfinished(played):
            assert client.get(path).status_code == 404, path


def walk(client: Client, starts: list[str]) -> Iterator[Response]:
    """All that can be reached from there, and all that is found on the way."""
    left, known, kinds = deque(dict.fromkeys(starts)), set(starts), Counter[str]()
    while left:
        address = left.popleft()
        answer = first_event(client, address) if address.endswith("/live") else client.get(address)
        yield answer
        for link in ATTRIBUTE.findall(answer.text):
            found = urldefrag(unescape(link)).url
            kinds[kind_of(found)] += found not in known
            if found not in known and kinds[kind_of(found)] <= MOST_OF_A_KIND:
                known.add(found)
                left.append(found)


def first_event(client: Client, address: str) -> Response:
    """The answer with the first that is told, of a stream without an end."""
    told = []
    with client.stream("GET", address) as answer:
        for line in answer.iter_lines():
            told.append(line)
            if not line:
                break
    return Response(answer.status_code, text="\n".join(told), request=answer.request)


def kind_of(address: str) -> str:
    """An address without what tells it from others of its kind."""
    path, query = urlsplit(address).path, urlsplit(address).query
    return re.sub(r"[0-9a-f]{8,}|league\w*|cup\w*|run\w*|bot\d|\d+", "*", path) + "?" + re.sub(r"=[^&]*", "", query)


def starts(client: Client) -> list[str]:
    """The first page, and all operations that there are, for what is in the tournament."""
    described = client.get("/api/v1/openapi.json").json()["paths"]
    match = client.get(f"/api/v1/matches?tournament={LEAGUE.id}").json()["items"][0]["id"].split("/")
    words = dict(zip(("tournament", "block", "rotation"), match, strict=True), bot=LEAGUE.entries[0].name)
    paths = [path.format_map(words) for path in described if "{submission}" not in path]
    own = ["/organise", "/account", "/audit", "/submit", "/play"]
    logs = [f"/account/log/{bot.digest.hex()}" for bot in LEAGUE.entries]
    events = [f"/api/v1/bots/{bot.name}/events" for bot in LEAGUE.entries]
    return ["/", *own, *logs, *events, *(f"/api/v1{path}" for path in paths), f"/tournaments/{LEAGUE.id}/live"]


def addresses_of_unfinished(played: Played) -> list[str]:
    """Where the matches of blocks would be that are not finished."""
    matches = [f"{LEAGUE.id}/{block.block_id.hex()}/{turn}" for block in played.unfinished for turn in (0, 1)]
    pages = [f"/matches/{match}{more}".rstrip("/") for match in matches for more in BEING_PLAYED]
    return pages + [f"/api/v1/matches/{match}{more}" for match in matches for more in ("", "/record")]
