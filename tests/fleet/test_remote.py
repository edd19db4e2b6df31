"""Remote bots that cannot be reached: withdrawn with the reason, and nobody else is the worse for it."""

from __future__ import annotations

from pathlib import Path

from arena.bots.remote import Access, by_address, parse_address
from arena.store.opening import open_store
from arena.store.repository import Repository
from arena.tournament.ports import BlockState
from tests.bots.serving import ServedBot, free_port
from tests.fleet.running import campaign, local_engine, open_tournament


def test_an_unreachable_bot_is_withdrawn_and_the_others_play_on(tmp_path: Path) -> None:
    served = [ServedBot(), ServedBot()]
    addresses = [*(bot.address for bot in served), f"grpc://127.0.0.1:{free_port()}"]
    bots = [by_address(Access(parse_address(address))) for address in addresses]
    with open_store(f"sqlite:///{tmp_path}/arena.db", write=True) as store:
        tournament = open_tournament(store, bots, seats=2, deals=2)
        with local_engine(tournament, bots, start_ms=300) as engine:
            report = campaign(store, tournament, engine)
        repository = Repository(store)
        blocks = repository.tournament(tournament.id).blocks
        states = {state.entry.digest: state for state in repository.entries(tournament.id)}
    for bot in served:
        bot.stop()
    gone = bots[2].digest
    assert list(report.withdrawn) == [gone]
    assert (states[gone].withdrawn or "").startswith("cannot be reached: nobody listens there")
    assert [states[bot.digest].withdrawn for bot in bots[:2]] == [None, None]
    assert (blocks[BlockState.DONE], blocks[BlockState.WITHDRAWN]) == (2, 4)
