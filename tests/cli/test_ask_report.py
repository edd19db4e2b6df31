"""What `arena bots ask` shows of an answer and of the match that it was asked in."""

from __future__ import annotations

from typing import Any, cast

from arena.bots.conformance import fixed_turns, read_question
from arena.bots.conformance.judging import Judgement
from arena.cli.ask_report import show
from arena.cli.asking import Answered, Asked
from arena.fleet.examining import Given
from arena.game.actions import Play
from arena.game.cards import parse_cards
from arena.match.player import CallResult
from arena.match.record import TurnRecord


def test_the_answer_and_the_turn_that_was_played_name_equal_cards_in_one_order() -> None:
    request = fixed_turns()[0].request
    answered, played = (Play(parse_cards(cards), None) for cards in ("5s 6c 4h", "6c 4h 5s"))
    asked = Asked((request,), (read_question(request),), "turn 0 of x", (), TurnRecord(0, played, None, None, 1000))
    given = Given("fox", "fox", "1", bytes(32), cast("Any", None))
    result = Answered(given, CallResult((), None, 0.001), (Judgement(answered, None),), "")
    lines = [str(line) for line in show(asked, result)]
    assert [line for line in lines if "throws 4h 5s 6c" in line] == [
        "It throws 4h 5s 6c and takes an unseen card, which is legal.",
        "  In the match: the bot throws 4h 5s 6c and takes an unseen card (1.00 ms).",
    ]
