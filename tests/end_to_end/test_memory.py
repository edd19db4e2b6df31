"""No process ever sees one deal twice: bots that remember all they saw, and shout when they know a hand, stay silent.

The bots of a tournament play alike, so a hand that one of them shows in one rotation is soon the hand of another one
in the next: a process that met both would know it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from arena.bots.calling import CallingPlayer
from arena.bots.folders import BotFolder, open_folder
from arena.bots.launcher import Launcher
from arena.bots.player import ProcessPlayer
from arena.fleet.engine import Outcome, Progress
from arena.fleet.lobby import Lobby
from arena.game.variant import Variant
from arena.match.limits import Limits, ProcessLimits
from arena.match.referee import Referee
from arena.match.table import Chair, Match
from arena.settings import url_of
from arena.store.engine import Store
from arena.store.ledger import SqlLedger
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.draw import draw_block
from arena.tournament.ports import BlockState, Tournament
from arena.wire.codec import TableEncoder
from tests.bots.making import make_memory
from tests.end_to_end.arena import Arena
from tests.end_to_end.test_kill import kill_after
from tests.fleet.running import campaign, local_engine, open_tournament, slots

DEALS = Variant(threshold=0, deal_cap=4)

SLOW = pytest.mark.slow

LOUD = ("--sandbox", "off", "--quiet")
"""In a sandbox nobody would hear a bot shout."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(url_of(tmp_path / "arena.db"), write=True) as store:
        yield store


@pytest.fixture
def shouts(tmp_path: Path) -> Path:
    return tmp_path / "shouts"


def rememberers(folder: Path, shouts: Path, count: int) -> list[BotFolder]:
    return [open_folder(make_memory(folder / f"memory{number}", shouts)) for number in range(count)]


class Shared(Lobby):
    """Gives a bot one process for all its chairs: what must never be."""

    def player(self, chair: Chair) -> CallingPlayer:
        return super().player(Chair(chair.bot, 0, 0))


def matches(store: Store, tournament: Tournament) -> Iterator[Match]:
    """The matches of the plan, rotation after rotation, as a worker plays them."""
    blocks = [missing.block for missing in Repository(store).missing(tournament.id)]
    for rotation in range(len(draw_block(tournament, blocks[0], 1))):
        for block in blocks:
            seats, seed = draw_block(tournament, block, 1)[rotation]
            chairs = tuple(Chair(bot, seats[:seat].count(bot), rotation) for seat, bot in enumerate(seats))
            yield Match(block.block_id, rotation, tournament.variant, tournament.limits, chairs, seed)


def play_in(kind: type[Lobby], store: Store, tournament: Tournament, bots: Sequence[BotFolder]) -> None:
    numbers = random.Random(3)
    with Launcher(ProcessLimits()) as launcher:
        prepared = {bot.digest: launcher.prepare(bot) for bot in bots}
        lobby = kind(lambda chair: ProcessPlayer(prepared[chair.bot], launcher, referee.fail), warm=0)
        referee = Referee(
            lobby, lambda _: TableEncoder(), Limits(), tables=12, calls=2, draw=lambda: numbers.getrandbits(64)
        )
        ended = list(referee.play(matches(store, tournament)))
        lobby.renew()
    assert len(ended) > 10


@pytest.mark.parametrize(
    ("seats", "mirrored"),
    [(2, False), (4, True), pytest.param(3, False, marks=SLOW), pytest.param(4, False, marks=SLOW)],
)
def test_the_bots_shout_when_a_process_sits_in_several_chairs(
    store: Store, tmp_path: Path, shouts: Path, seats: int, mirrored: bool
) -> None:
    bots = rememberers(tmp_path, shouts, 2 if mirrored else seats)
    tournament = open_tournament(store, bots, seats, deals=8, variant=DEALS, mirrored=mirrored)
    play_in(Lobby, store, tournament, bots)
    assert not shouts.exists()
    play_in(Shared, store, tournament, bots)
    assert len(shouts.read_text().splitlines()) > 3


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=SLOW), pytest.param(4, marks=SLOW)])
def test_they_stay_silent_over_whole_tournaments(tmp_path: Path, shouts: Path, seats: int) -> None:
    bots = [str(bot.path) for bot in rememberers(tmp_path, shouts, seats)]
    arena = Arena(tmp_path)
    arena.ok("tournament", "run", *bots, "--seats", str(seats), "--deals", "16", *LOUD)
    assert not shouts.exists()


@SLOW
def test_they_stay_silent_with_clones_and_after_voids(store: Store, tmp_path: Path, shouts: Path) -> None:
    bots = rememberers(tmp_path, shouts, 2)
    tournament = open_tournament(store, bots, seats=4, deals=16, variant=DEALS, mirrored=True)
    killed: list[int] = []

    def kill(came: Outcome | Progress) -> None:
        if len(killed) < 3 and isinstance(came, Progress) and came.matches:
            for slot in slots()[:1]:
                killed.append(slot.pid)
                slot.kill()

    with local_engine(tournament, bots, workers=2, tables=12) as engine:
        campaign(store, tournament, engine, workers=2, tables=12, watch=kill)
    assert len(killed) == 3
    assert {state for state, count in SqlLedger(store).counts(tournament.id).items() if count} == {BlockState.DONE}
    assert any(state.voids for state in Repository(store).entries(tournament.id))
    assert not shouts.exists()


@SLOW
def test_they_stay_silent_after_a_kill_and_a_resume(tmp_path: Path, shouts: Path) -> None:
    bots = [str(bot.path) for bot in rememberers(tmp_path, shouts, 3)]
    arena = Arena(tmp_path)
    command = ["tournament", "run", *bots, "--deals", "30", *LOUD]
    for seconds in (2.0, 2.5):
        kill_after(arena.start(*command), seconds)
        if arena.has_opened():
            command = ["tournament", "resume", "--quiet"]
    arena.ok(*command)
    assert not shouts.exists()
