"""What commands print of strangers' texts and numbers."""

import pytest
from rich.console import Console

from arena.cli.output import console, new_table, plain, print_json
from arena.rating.figures import signed
from arena.tournament.entries import Entry
from arena.tournament.labels import harmless, labels, seat_labels


@pytest.mark.parametrize("text", ["greedy", "Ünïcode Δ", "日本", "<script>", "[red]", "🂡"])
def test_visible_text_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize(
    "sign", ["\n", "\r", "\t", "\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\u200b", "\u2028", "\ud800"]
)
def test_control_direction_and_invisible_signs_become_visible(sign: str) -> None:
    assert harmless(f"a{sign}b") == "a\N{REPLACEMENT CHARACTER}b"


def test_markup_in_a_name_means_nothing() -> None:
    console = Console(width=80, force_terminal=True, color_system="standard")
    with console.capture() as capture:
        console.print(plain("[bold red]x[/]"))
    assert capture.get() == "[bold red]x[/]\n"


def test_json_knows_no_nan() -> None:
    with pytest.raises(ValueError, match="JSON"):
        print_json({"rating": float("nan")})


@pytest.mark.parametrize(("number", "text"), [(1.25, "+1.25"), (-0.5, "-0.50"), (0.0, "0.00"), (-0.001, "0.00")])
def test_a_number_has_its_sign_and_zero_has_none(number: float, text: str) -> None:
    assert signed(number) == text


def test_a_label_has_the_digests_beginning_only_where_two_bots_have_one_name_and_version() -> None:
    entries = [Entry("a", "1", b"\x11" * 32), Entry("a", "1", b"\x22" * 32), Entry("a", "2", b"\x33" * 32)]
    assert list(labels(entries).values()) == ["a 1 1111111111", "a 1 2222222222", "a 2"]


def test_seats_are_called_by_name_alone_where_that_tells_them_apart() -> None:
    entries = [Entry("a", "1", b"\x11" * 32), Entry("a", "2", b"\x22" * 32), Entry("b\n", "1", b"\x33" * 32)]
    one, two, other = (entry.digest for entry in entries)
    assert seat_labels((other, one), entries) == ("b\ufffd", "a")
    assert seat_labels((other, one, one), entries) == ("b\ufffd", "a", "a")
    assert seat_labels((two, one), entries) == ("a 2", "a 1")


def test_a_narrow_terminal_loses_no_column(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    table = new_table("place", "bot", "rating", right=["place", "rating"])
    table.add_row("1", "planner 1.0", "1820")
    console().print(table)
    assert "planner 1.0" in capsys.readouterr().out
