from dataclasses import replace
from pathlib import Path

from arena.cli.leader import Leader
from arena.rating.counts import PairTable
from arena.store.ratings import Ratings
from arena.tournament.ports import BlockResult, ClaimedBlock, PlannedBlock, SeatResult
from tests.store import made

NOTHING = PairTable.of([], [])


def won_by(block: PlannedBlock, winner: bytes) -> BlockResult:
    """The block's made-up result, with this bot in the first place and all others level behind it."""
    result = made.result(ClaimedBlock(block, 1))
    return result._replace(
        matches=tuple(
            match._replace(
                seats=tuple(SeatResult(seat.bot, 1 + (seat.bot != winner), 0, 0, False) for seat in match.seats)
            )
            for match in result.matches
        )
    )


def test_nobody_leads_before_bots_have_met() -> None:
    assert Leader(made.tournament(), NOTHING).words() == ""


def test_the_lead_passes_with_the_blocks() -> None:
    cup = made.tournament()
    first, second, *_ = cup.entries
    blocks = [block for block in made.plan(cup) if {first.digest, second.digest} <= set(block.lineup)]
    leader = Leader(cup, NOTHING)
    leader.hear(won_by(blocks[0], first.digest))
    assert leader.words() == f"{first.name} leads"
    for block in blocks[1:]:
        leader.hear(won_by(block, second.digest))
    assert leader.words() == f"{second.name} leads"
    assert leader.words() == f"{second.name} leads"


def test_what_was_played_before_counts_too(tmp_path: Path) -> None:
    cup = made.tournament()
    with made.opened(tmp_path / "arena.db", cup) as store:
        made.play(store, cup)
        assert Leader(cup, Ratings(store).pairs(cup.id)[1]).words() != ""


def test_a_hostile_name_does_no_harm_on_the_screen() -> None:
    cup = made.tournament()
    evil = tuple(entry._replace(name=f"\x1b[2J{entry.name}") for entry in cup.entries)
    leader = Leader(replace(cup, entries=evil), NOTHING)
    leader.hear(won_by(made.plan(cup)[0], cup.entries[0].digest))
    assert "\x1b" not in leader.words()
