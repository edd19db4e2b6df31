import pytest

from arena.tournament.entries import Entry, entries_digest, sort_entries

GREEDY = Entry("greedy", "1.0", bytes([0x22]) * 32)
RANDOM = Entry("random", "1.0", bytes([0x11]) * 32)


def test_the_entries_digest_is_that_of_the_sorted_lines() -> None:
    digest = "b5d4685f357b455017668e3d654a763c4662aadc2f191f0779b878e54dff338c"
    assert entries_digest([GREEDY, RANDOM]).hex() == digest
    assert entries_digest([RANDOM, GREEDY]).hex() == digest


def test_entries_are_sorted_by_the_bytes_of_their_lines() -> None:
    long, umlaut = GREEDY._replace(name="greedy2"), GREEDY._replace(name="Ägir")
    assert sort_entries([umlaut, RANDOM, long, GREEDY]) == (GREEDY, long, RANDOM, umlaut)


def test_a_bot_that_entered_twice_counts_twice() -> None:
    assert entries_digest([GREEDY, GREEDY]) != entries_digest([GREEDY])


@pytest.mark.parametrize("name", ["a\tb", "a\nb"])
def test_a_name_that_could_pass_for_two_fields_or_lines_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no tab and no line feed"):
        entries_digest([GREEDY._replace(name=name)])
