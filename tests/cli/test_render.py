"""How a match looks in the terminal: what is told, what a seat may not see, and that it fits."""

from dataclasses import replace

import pytest
from rich.cells import cell_len

from arena.cli.render import match_lines
from arena.game.actions import Declare, Play
from arena.game.cards import parse_card, parse_cards
from arena.game.chance import SeededChance
from arena.game.events import DealEnd, Ending
from arena.game.rules import new_match
from arena.game.variant import Variant
from arena.match.faults import Fault, FaultKind
from arena.match.limits import Limits
from arena.match.record import DealRecord, MatchRecord, TurnRecord
from tests.tournament.playing import Manners, play


def turn(seat: int, discard: str, take: str | None, card: str, fault: Fault | None = None) -> TurnRecord:
    taken = None if take is None else parse_card(take)
    return TurnRecord(seat, Play(parse_cards(discard), taken), parse_card(card), fault, 1)


TIMEOUT = Fault(FaultKind.TIMEOUT, "no answer", 1)
DEAL = DealRecord(
    starter=0,
    hands=tuple(map(parse_cards, ("As 3d 7s 7d Kc", "2c 4h 5d 6s Kh"))),
    upcard=parse_card("9h"),
    turns=(
        turn(0, "7d 7s", None, "9d"),
        turn(1, "Kh", "7s", "7s", TIMEOUT),
        turn(0, "Kc", None, "Th"),
        TurnRecord(1, Declare(), None, None, 1),
    ),
    end=DealEnd.DECLARED,
    totals=(23, 24),
    points=(0, 21),
)
MATCH = MatchRecord(
    block_id=bytes(32),
    rotation=0,
    variant=Variant(deal_cap=1),
    limits=Limits(),
    seats=(b"\x11" * 32, b"\x22" * 32),
    seed=bytes(32),
    deals=(DEAL,),
    places=(1, 2),
    points=(0, 21),
    ending=Ending.DEAL_CAP,
)


def shown(
    record: MatchRecord = MATCH,
    names: tuple[str, ...] = ("greedy", "random"),
    *,
    viewer: int | None = None,
    width: int = 80,
) -> str:
    return "\n".join(line.plain.rstrip() for line in match_lines(record, names, viewer=viewer, deal=None, width=width))


def left_early(hand: str, drawn: str) -> MatchRecord:
    """A match that seat 1 leaves before it sees the hand of seat 0, or the card that it drew."""
    forfeit = turn(1, "2c", None, "2d")._replace(action=None, card=None, fault=TIMEOUT)
    turns = (turn(0, "Kc", None, drawn), turn(1, "Kh", None, "3s"), turn(0, "3d", None, "8c"), forfeit)
    nothing = (None, None)
    hands = (parse_cards(hand), DEAL.hands[1])
    deal = replace(DEAL, hands=hands, turns=turns, end=DealEnd.FORFEIT, totals=nothing, points=nothing)
    return replace(MATCH, deals=(deal,), points=(0, 0), ending=Ending.FORFEIT)


def played(seats: int, fault_rate: float = 0.0, decks: int = 1) -> MatchRecord:
    bots = tuple(bytes([seat]) * 32 for seat in range(seats))
    start = replace(MATCH, seats=bots, variant=Variant(threshold=25, decks=decks), seed=bytes(range(32)), deals=())
    return play(start, Manners(fault_rate=fault_rate))


def test_a_match_with_all_hands_tells_every_turn_fault_and_result() -> None:
    assert (
        shown()
        == """
Deal 0  0 greedy to start, 9h is turned up
     0 greedy   28  As 3d 7d 7s Kc
     1 random   27  2c 4h 5d 6s Kh
turn seat      open            discards        takes      sum  holds
   0 0 greedy  9h              7d 7s           closed 9d   23  As 3d 9d Kc
   1 1 random  7d 7s           Kh              7s          24  2c 4h 5d 6s 7s
     ! TIMEOUT (no answer), strike 1 of 3: the arena played for it
   2 0 greedy  Kh              Kc              closed Th   23  As 3d 9d Th
   3 1 random  Kc              declares                    24  2c 4h 5d 6s 7s
     1 random declared 24, but 0 greedy has 23: it is false
     0 greedy   23  As 3d 9d Th       +0 = 0 points
     1 random   24  2c 4h 5d 6s 7s   +21 = 21 points

The match ended: DEAL_CAP, 1 deal, 4 turns
   1 0 greedy    0 points
   2 1 random   21 points"""
    )


def test_through_the_eyes_of_a_seat_only_its_own_hand_and_draws_are_shown_until_the_reveal() -> None:
    before_the_reveal = shown(viewer=0).split("declared 24")[0]
    assert (
        before_the_reveal
        == """
Deal 0  0 greedy to start, 9h is turned up
     0 greedy   28  As 3d 7d 7s Kc
     1 random       ·· ·· ·· ·· ··
turn seat      open            discards        takes      sum  holds
   0 0 greedy  9h              7d 7s           closed 9d   23  As 3d 9d Kc
   1 1 random  7d 7s           Kh              7s              ·· ·· ·· ·· ··
   2 0 greedy  Kh              Kc              closed Th   23  As 3d 9d Th
   3 1 random  Kc              declares                        ·· ·· ·· ·· ··
     1 random """
    )


def test_what_a_seat_sees_does_not_depend_on_cards_that_it_never_saw() -> None:
    one, other = left_early("As 3d 7s 7d Kc", "9d"), left_early("Ah 3d 8s Td Kc", "Qd")
    assert shown(one, viewer=1) == shown(other, viewer=1)
    assert shown(one) != shown(other)


def test_a_forfeit_ends_a_match_of_two_without_a_score() -> None:
    turns = (turn(0, "Kc", None, "9d"), TurnRecord(1, None, None, TIMEOUT._replace(strike=3), 1))
    deal = replace(DEAL, turns=turns, end=DealEnd.FORFEIT, totals=(None, None), points=(None, None))
    told = shown(replace(MATCH, deals=(deal,), points=(0, 0), ending=Ending.FORFEIT)).splitlines()
    assert told[6:] == [
        "   1 1 random  Kc              forfeits",
        "     ! TIMEOUT (no answer), strike 3 of 3: the seat leaves the match, its hand face down",
        "     One seat is left: the deal is not scored",
        "",
        "The match ended: FORFEIT, 1 deal, 2 turns",
        "   1 0 greedy    0 points",
        "   2 1 random    0 points  forfeited",
    ]


def test_a_refill_is_told_before_the_turn_that_needed_it() -> None:
    variant = Variant(hand_size=25, deal_cap=1)
    dealt = new_match(variant, 2, SeededChance(bytes(32), 1)).dealt
    assert dealt is not None
    ranked = [sorted(hand or b"") for hand in dealt.hands]
    first, second, third = ranked[0][:1], ranked[1][:1], ranked[0][1:2]
    (rest,) = set(range(52)) - {card for hand in dealt.hands for card in hand or b""} - {dealt.upcard}
    turns = (
        TurnRecord(0, Play(bytes(first), None), rest, None, 1),
        TurnRecord(1, Play(bytes(second), None), dealt.upcard, None, 1),
        TurnRecord(0, Play(bytes(third), second[0]), second[0], None, 1),
    )
    deal = replace(DEAL, hands=dealt.hands, upcard=dealt.upcard, turns=turns, totals=(9, 9), points=(0, 0))
    lines = shown(replace(MATCH, variant=variant, deals=(deal,))).splitlines()
    refill = next(number for number, line in enumerate(lines) if "refilled" in line)
    assert lines[refill] == "     the closed deck was empty: refilled with 1 dead card"
    assert lines[refill + 1].startswith("   1 1 random")
    assert sum("refilled" in line for line in lines) == 1


@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("viewer", [None, 1])
def test_every_line_of_a_turn_fits_into_80_columns_whatever_the_names(seats: int, viewer: int | None) -> None:
    names = ("日本語のボットの名前", "Ünïcode", "a name of forty characters, really forty", *"wxyz", "end")
    lines = shown(played(seats), names[:seats], viewer=viewer).splitlines()
    assert len(lines) > 50
    assert max(map(cell_len, lines)) <= 80


def test_a_played_match_of_two_decks_and_many_faults_is_told_to_its_end() -> None:
    record = played(4, fault_rate=0.05, decks=2)
    told = shown(record, ("a", "b", "c", "d"))
    assert told.count("! ") == sum(turn.fault is not None for turn in record.turns())
    assert told.count("forfeits") == sum(turn.action is None for turn in record.turns())
    assert f"The match ended: {record.ending.value}" in told


def test_one_deal_is_shown_alone_and_the_end_only_with_the_last() -> None:
    record = played(2)
    last = len(record.deals) - 1
    first, final = (
        [line.plain for line in match_lines(record, ("a", "b"), viewer=None, deal=deal, width=80)] for deal in (0, last)
    )
    assert sum("Deal " in line for line in first) == sum("Deal " in line for line in final) == 1
    assert not any("The match ended" in line for line in first)
    assert any("The match ended" in line for line in final)


def test_red_suits_are_red_and_black_ones_are_not() -> None:
    hand = next(
        line for line in match_lines(MATCH, ("a", "b"), viewer=None, deal=None, width=80) if "As 3d" in line.plain
    )
    red = {hand.plain[span.start : span.end] for span in hand.spans if "red" in str(span.style)}
    assert red == {"3d", "7d"}


def test_a_name_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in shown(names=("\x1b[2J", "random"))
