"""A person's session in the terminal, with bots that are functions of this process."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable

import pytest

from arena.cli.seat_view import seat_scene
from arena.cli.sitting import Left, Terminal
from arena.game.cards import card_names
from arena.game.variant import Variant
from arena.game.view import observe
from arena.match.faults import FaultKind
from arena.match.limits import Limits
from arena.match.playback import play_back
from arena.match.player import CallFailure
from arena.match.record import MatchRecord
from tests.fleet.seated import SHORT, Room

NAMES = ("you", "one", "two")

Session = Callable[..., tuple[MatchRecord, str]]


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(monkeypatch)


@pytest.fixture
def session(room: Room, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Session:
    """Plays a match with what is typed, line by line, and then the first that is offered; gives what was shown."""
    monkeypatch.setenv("COLUMNS", "80")

    def play(*typed: str, variant: Variant = SHORT) -> tuple[MatchRecord, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*typed, *["1 1"] * 1000])))
        with room.match(variant=variant) as live:
            terminal = Terminal(seat_scene(NAMES, 0, Limits()), 0, bytes(range(32)))
            record = terminal.play(live)
            terminal.show_end(record)
        return record, capsys.readouterr().out

    return play


def hidden_cards(record: MatchRecord) -> list[set[str]]:
    """At each turn of the person: the cards in hands of others, but for those that they took openly."""
    found = []
    open_takes: dict[int, set[int]] = {}
    for step in play_back(record):
        state, turn = step.state, step.turn
        if turn is None:
            open_takes = {}
        elif turn.action is not None and getattr(turn.action, "take", None) is not None:
            open_takes.setdefault(turn.seat, set()).add(turn.card or 0)
        if state.seat == 0 and state.declarer is None and len(state.past_deals) == state.deal:
            others = {
                card
                for seat, hand in enumerate(state.hands)
                for card in hand or b""
                if seat != 0 and card not in open_takes.get(seat, ())
            }
            found.append(set(card_names(bytes(others)).split()))
    return found


def test_nothing_is_shown_of_others_hands_before_the_deal_ends(session: Session) -> None:
    record, shown = session()
    turns = shown.split("> 1 1\n")[:-1]
    hidden = hidden_cards(record)
    assert len(turns) == len(hidden) > 10
    for text, cards in zip(turns, hidden, strict=True):
        of_this_deal = re.split(r"Deal \d+", text)[-1]  # what stands before it are the revealed hands of the last one
        assert cards
        assert not cards & set(re.findall(r"[A2-9TJQK][cdhs]", of_this_deal))


def test_each_deal_ends_with_all_hands_and_the_match_with_the_places(session: Session) -> None:
    record, shown = session()
    assert shown.count("declared ") == len(record.deals) > 1
    *_, last = play_back(record)
    for past in last.state.past_deals:
        for hand in past.hands:
            assert hand is None or all(name in shown for name in card_names(hand).split())
    assert f"The match ended: {record.ending.value}, {len(record.deals)} deals" in shown


def test_what_is_not_allowed_or_cannot_be_read_is_explained_and_asked_again(session: Session) -> None:
    _, shown = session("declare", "Ac Ac closed", "1", "rubbish", "\x1b[2J", "?")
    assert "> declare\nDECLARE_ON_FIRST_TURN: a seat may not declare on its first turn of a deal\n" in shown
    assert "\nCARD_NOT_HELD: the discard holds a card that is not in the hand" in shown
    assert shown.count("type what you throw, then what you take") == 3
    assert "Or one of these:" in shown
    assert "\x1b" not in shown


def test_enter_alone_shows_the_turn_again(session: Session) -> None:
    _, shown = session("")
    _, first, second, *_ = shown.split("Your turn.")
    assert first.rstrip("> \n") == second.split(">")[0].rstrip()


def test_a_hint_is_what_the_reference_would_do_and_does_not_end_the_turn(session: Session) -> None:
    _, shown = session("hint", "hint")
    _, first, second, _ = re.split("> hint\n|(?<=\n)> 1 1", shown, maxsplit=3)
    assert first == second
    heads, best, *_ = first.splitlines()
    assert heads.split() == ["action", "points", "loss"]
    assert best.endswith("best")


def test_a_hint_is_there_with_large_hands_too(session: Session) -> None:
    _, shown = session("hint", variant=Variant(hand_size=6, threshold=15))
    assert shown.split("> hint\n")[1].splitlines()[1].endswith("best")


@pytest.mark.parametrize("word", ["quit", "q"])
def test_the_person_may_leave(session: Session, word: str) -> None:
    with pytest.raises(Left):
        session("1 1", word)


def test_the_end_of_the_input_leaves(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1 1\n"))
    with room.match() as live, pytest.raises(Left):
        Terminal(seat_scene(NAMES, 0, Limits()), 0, bytes(range(32))).play(live)


def test_a_play_is_told_before_the_bots_answer_it(session: Session) -> None:
    _, shown = session()
    after = shown.split("> 1 1\n")[1].splitlines()
    assert after[0].startswith("     0 you  throws ")
    assert after[1].startswith("     1 one  throws ")


def test_faults_of_bots_are_told_at_the_end(session: Session, room: Room) -> None:
    assert "fault" not in session()[1]
    room.failure = CallFailure(FaultKind.CRASHED, "exited with status 1")
    _, shown = session()
    assert "\n1 one: 3 faults (CRASHED), where the arena played for it\n" in shown.split("The match ended")[1]


def test_the_view_of_the_first_turn_is_that_of_the_seat(session: Session) -> None:
    record, shown = session()
    first = next(step.state for step in play_back(record))
    hand = observe(first, 0).hand
    line = next(line for line in shown.splitlines() if line.startswith("     0 you"))
    assert sorted(line.split()[5:]) == sorted(card_names(hand).split())
