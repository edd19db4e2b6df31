from arena.game.variant import Variant
from arena.tournament.draw import draw_block
from arena.tournament.formats import plan
from arena.tournament.ports import PlannedBlock, Tournament
from tests.tournament.playing import bots, tournament


def opened(*, remote: bool) -> tuple[Tournament, PlannedBlock]:
    entries = tuple(entry._replace(remote=remote and place == 0) for place, entry in enumerate(bots(3)))
    cup = tournament(entries, 3, Variant())
    (first, *_) = plan(cup.format, cup.entries, 3, 1, cup.variant, cup.limits)
    return cup, first


def test_all_rotations_of_a_block_have_one_seed_whatever_the_attempt() -> None:
    cup, block = opened(remote=False)
    drawn = draw_block(cup, block, 1)
    assert len({match.seed for match in drawn}) == 1
    assert draw_block(cup, block, 2) == drawn


def test_a_block_with_a_remote_seat_is_never_dealt_twice() -> None:
    cup, block = opened(remote=True)
    seeds = {match.seed for attempt in (1, 2) for match in draw_block(cup, block, attempt)}
    assert len(seeds) == 6


def test_every_bot_sits_once_in_every_seat() -> None:
    cup, block = opened(remote=False)
    for seat in range(3):
        assert sorted(match.seats[seat] for match in draw_block(cup, block, 1)) == list(block.lineup)
