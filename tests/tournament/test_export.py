import json
from dataclasses import replace
from typing import Any

import pytest

from arena.game.actions import Declare, Play
from arena.game.cards import parse_card, parse_cards
from arena.game.events import DealEnd, Ending
from arena.game.variant import Variant
from arena.match.faults import Fault, FaultKind
from arena.match.limits import Limits
from arena.match.record import DealRecord, MatchRecord, TurnRecord
from arena.tournament.entries import Entry
from arena.tournament.export import export_line, match_json
from tests.tournament.playing import SECRET, tournament

GREEDY = Entry("greedy", "1.0", bytes([0x22]) * 32)
RANDOM = Entry("random", "2.0", bytes([0x11]) * 32, remote=True)
CUP = replace(tournament((RANDOM, GREEDY), 2, Variant()), beacon="weather", beacon_text="12 °C")

PLAYED = DealRecord(
    starter=1,
    hands=(parse_cards("As 2s"), None, parse_cards("Kd Qc")),
    upcard=parse_card("7h"),
    turns=(
        TurnRecord(0, Play(parse_cards("7d 7s"), None), parse_card("9d"), None, 812),
        TurnRecord(2, Play(parse_cards("Kd"), 52 + parse_card("7s")), 52 + parse_card("7s"), None, 640),
        TurnRecord(0, Play(parse_cards("Qc"), None), parse_card("3h"), Fault(FaultKind.TIMEOUT, "late", 1), 500020),
        TurnRecord(2, Declare(), None, None, 512),
    ),
    end=DealEnd.DECLARED,
    totals=(10, None, 16),
    points=(0, None, 6),
)
FORFEITED = DealRecord(
    starter=2,
    hands=(parse_cards("5c"), None, parse_cards("6c")),
    upcard=None,
    turns=(TurnRecord(2, None, None, Fault(FaultKind.CRASHED, "", 3), 9),),
    end=DealEnd.FORFEIT,
    totals=(None, None, None),
    points=(None, None, None),
)
RECORD = MatchRecord(
    block_id=bytes([0x33]) * 32,
    rotation=1,
    variant=Variant(),
    limits=Limits(),
    seats=(GREEDY.digest, RANDOM.digest, GREEDY.digest),
    seed=bytes([0x44]) * 32,
    deals=(PLAYED, FORFEITED),
    places=(1, 2, 3),
    points=(12, 55, 61),
    ending=Ending.FORFEIT,
)

EXAMPLE = """
{"format":"least-score/match/1","tournament":"cup","match_id":"<33>/1","block_id":"<33>","block":4,"rotation":1,
 "attempt":2,"commitment":"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
 "secret":"<secret>","beacon":"12 \\u00b0C",
 "entries":[["greedy","1.0","<22>"],["random","2.0","<11>"]],"lineup":["<11>","<22>","<22>"],
 "seed":"<44>","sandbox":"none","limits":{"bank_ms":10000,"show_names":false,"strikes":3,"turn_ms":500},
 "variant":{"hand_size":5,"decks":1,"upcard":true,"mixed_pairs":false,"tie_holds":true,"penalty":20,"threshold":50,
            "crossing":"BEYOND","finish":"LAST_STANDING","lap_cap":60,"deal_cap":0},
 "seats":[{"bot":"greedy","version":"1.0","digest":"<22>","remote":false},
          {"bot":"random","version":"2.0","digest":"<11>","remote":true},
          {"bot":"greedy","version":"1.0","digest":"<22>","remote":false}],
 "deals":[{"starter":1,"hands":{"0":["As","2s"],"2":["Kd","Qc"]},"upcard":"7h",
   "turns":[{"seat":0,"action":"play","discard":["7d","7s"],"take":"closed","card":"9d","micros":812,"fault":null},
            {"seat":2,"action":"play","discard":["Kd"],"take":"7s","card":"7s","micros":640,"fault":null},
            {"seat":0,"action":"play","discard":["Qc"],"take":"closed","card":"3h","micros":500020,
             "fault":{"kind":"TIMEOUT","reason":"late","strike":1}},
            {"seat":2,"action":"declare","micros":512,"fault":null}],
   "end":"declared","totals":{"0":10,"2":16},"points":{"0":0,"2":6}},
  {"starter":2,"hands":{"0":["5c"],"2":["6c"]},"upcard":null,
   "turns":[{"seat":2,"action":"forfeit","micros":9,"fault":{"kind":"CRASHED","reason":"","strike":3}}],
   "end":"forfeit","totals":{},"points":{}}],
 "places":[1,2,3],"points":[12,55,61],"ending":"FORFEIT"}
"""


def example() -> str:
    """The example as one compact line: the format in full."""
    text = EXAMPLE.replace("<secret>", SECRET.hex())
    for pair in ("11", "22", "33", "44"):
        text = text.replace(f"<{pair}>", pair * 32)
    return "".join(line.strip() for line in text.splitlines())


def exported(**changes: Any) -> dict[str, Any]:
    return match_json(RECORD, replace(CUP, **changes), 4, 2, reveal_secret=True)


def test_a_match_is_exported_in_exactly_the_documented_form() -> None:
    assert export_line(exported()) == example()


def test_the_secret_is_null_while_the_tournament_runs() -> None:
    running = match_json(RECORD, CUP, 4, 2, reveal_secret=False)
    assert running["secret"] is None
    assert running == exported() | {"secret": None}


def test_a_digest_that_entered_under_two_names_goes_by_the_first() -> None:
    twin = GREEDY._replace(name="gross")
    assert exported(entries=(twin, GREEDY, RANDOM))["seats"][0]["bot"] == "greedy"


def test_a_line_holds_no_line_break_whatever_the_names() -> None:
    line = export_line(exported(beacon_text="one\ntwo\u2028three\r"))
    assert len(line.splitlines()) == 1
    assert json.loads(line)["beacon"] == "one\ntwo\u2028three\r"


def test_a_play_without_the_card_that_it_brought_is_a_damaged_record() -> None:
    turn = TurnRecord(0, Play(parse_cards("7d"), None), None, None, 1)
    damaged = replace(RECORD, deals=(replace(PLAYED, turns=(turn,)),))
    with pytest.raises(ValueError, match="damaged"):
        match_json(damaged, CUP, 4, 2, reveal_secret=True)
