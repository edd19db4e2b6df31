"""`arena rankings`: the numbers of a tournament and what must be known to read them."""

import pytest

from arena.bots.folders import open_folder
from arena.cli.errors import FAILED, MISUSE
from arena.game.variant import Variant
from arena.rating.counts import MatchResult, pair_counts
from arena.rating.model import fit
from arena.settings import sample_bots
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.formats import plan
from tests.cli.conftest import CUP, RUNNING
from tests.cli.stored import Shell, store_tournament
from tests.tournament.playing import Manners, bots, play_block, tournament


def matches_of_cup() -> list[list[MatchResult[bytes]]]:
    blocks = plan(CUP.format, CUP.entries, CUP.seats, CUP.deals, CUP.variant, CUP.limits)
    played = [play_block(CUP, block, Manners(fault_rate=0.01)) for block in blocks]
    return [
        [
            MatchResult(
                record.seats,
                record.places,
                tuple(any(t.fault for t in record.turns() if t.seat == seat) for seat in range(3)),
            )
            for record in block
        ]
        for block in played
    ]


def test_the_ranking_has_the_ratings_and_sums_of_all_matches(shell: Shell) -> None:
    blocks = matches_of_cup()
    expected = fit([entry.digest for entry in CUP.entries], pair_counts(blocks)).ratings()
    rows = shell("rankings", "Cup", "--json").json
    assert {row["id"]: row["rating"] for row in rows} == {
        bot.hex(): pytest.approx(rating) for bot, rating in expected.items()
    }
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
    for row in rows:
        seats = [
            (match, seat)
            for block in blocks
            for match in block
            for seat in range(3)
            if match.seats[seat].hex() == row["id"]
        ]
        assert row["matches"] == len(seats) == 18
        assert row["mean_place"] == pytest.approx(sum(match.places[seat] for match, seat in seats) / 18)
        assert row["fault_matches"] == sum(match.faulted[seat] for match, seat in seats)
        assert row["fault_share"] == row["fault_matches"] / 18


def test_the_latest_tournament_is_shown_unless_one_is_named(shell: Shell) -> None:
    assert {row["tournament"] for row in shell("rankings", "--json").json} == {RUNNING.id}
    assert {row["tournament"] for row in shell("rankings", "cup0", "--json").json} == {CUP.id}
    assert "Running (run012345678)" in shell("rankings").out


def test_faults_are_shown_with_the_share_of_matches_that_had_one(shell: Shell) -> None:
    shown = shell("rankings", "Cup").out
    for row in shell("rankings", "Cup", "--json").json:
        line = next(line for line in shown.splitlines() if f"{row['bot']} {row['version']}" in line)
        assert line.endswith(f" {row['faults']} ({100 * row['fault_share']:.0f} %)")


def test_the_notes_tell_the_scale_and_the_missing_sandbox(shell: Shell) -> None:
    shown = " ".join(shell("rankings", "Cup").out.split())
    assert "the mean is 1500" in shown
    assert "without a sandbox" in shown


def test_the_shipped_greedy_bot_is_1500(empty_shell: Shell) -> None:
    greedy = Entry("greedy", "1.0", open_folder(sample_bots() / "greedy").digest)
    cup = tournament(sort_entries([greedy, *bots(2)]), 3, Variant(threshold=25))
    store_tournament(empty_shell.path, cup)
    ratings = {row["bot"]: (row["rating"], row["anchor"]) for row in empty_shell("rankings", "--json").json}
    assert ratings["greedy"] == (1500, True)
    assert not ratings["bot0"][1]
    assert "greedy 1.0 is 1500" in empty_shell("rankings").out


def test_a_bot_without_matches_has_dashes_and_a_withdrawn_one_its_reason(empty_shell: Shell) -> None:
    cup = tournament(bots(4), 3, Variant(threshold=25))
    store_tournament(empty_shell.path, cup, withdrawn={cup.entries[0].digest: "exit\x1b code 1"})
    row = next(row for row in empty_shell("rankings", "--json").json if row["bot"] == cup.entries[0].name)
    assert (row["matches"], row["rating"], row["place"], row["mean_place"], row["points_a_deal"]) == (0, *[None] * 4)
    assert row["withdrawn"] == "exit\x1b code 1"
    shown = empty_shell("rankings").out
    line = next(line for line in shown.splitlines() if f"{cup.entries[0].name} 1.0" in line)
    assert line.split() == ["–", cup.entries[0].name, "1.0", *6 * ["–"]]
    assert f"{cup.entries[0].name} 1.0 was withdrawn: exit\N{REPLACEMENT CHARACTER} code 1" in shown


def test_a_tournament_without_any_match_has_a_table_of_dashes(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, tournament(bots(3), 3, Variant()), blocks=0)
    assert empty_shell("rankings").code == 0
    assert [row["rating"] for row in empty_shell("rankings", "--json").json] == [None] * 3


def test_a_single_block_is_provisional(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, tournament(bots(2), 2, Variant(threshold=25)), blocks=1)
    first, second = empty_shell("rankings", "--json").json
    assert (first["kind"], first["flag"], first["record"]) == ("provisional", ">", "UNBEATEN")
    assert (second["kind"], second["flag"], second["record"]) == ("provisional", "<", "WINLESS")
    shown = " ".join(empty_shell("rankings").out.split())
    assert f"{first['bot']} 1.0 {first['rating']:.0f} ± {first['half_width']:.0f}* 1–2" in shown
    assert "* provisional: from a single block" in shown


def test_bots_that_never_met_are_ranked_apart(empty_shell: Shell) -> None:
    cup = tournament(bots(4), 2, Variant(threshold=25))
    store_tournament(empty_shell.path, cup, planned=slice(None, None, 5))
    rows = empty_shell("rankings", "--json").json
    assert [row["component"] for row in rows] == [0, 0, 1, 1]
    assert next(row["place"] for row in rows if row["component"] == 1) == 1
    assert "form 2 groups that did not meet" in " ".join(empty_shell("rankings").out.split())


def test_a_hostile_name_changes_nothing_but_its_own_cell(empty_shell: Shell) -> None:
    hostile = Entry("[red]\x1b[31m\u202eevil", "1.0", b"\x77" * 32)
    cup = tournament(sort_entries([hostile, *bots(2)]), 3, Variant(threshold=25), name="[bold]\x1b]0;x\x07")
    store_tournament(empty_shell.path, cup)
    for command in (["rankings"], ["tournament", "list"], ["tournament", "show"], ["matches"]):
        shown = empty_shell(*command).out
        assert "[red]" in "".join(shown.split()) or "[bold]" in shown
        assert not {"\x1b", "\u202e", "\x07"} & set(shown)


def test_the_same_name_and_version_twice_is_told_apart_by_digest(empty_shell: Shell) -> None:
    twins = [Entry("twin", "1.0", bytes([letter]) * 32) for letter in b"AB"]
    store_tournament(empty_shell.path, tournament(sort_entries(twins), 2, Variant(threshold=25)))
    shown = empty_shell("rankings").out
    assert "twin 1.0 4141414141" in shown
    assert "twin 1.0 4242424242" in shown


def test_an_unknown_tournament_is_misuse(shell: Shell) -> None:
    said = shell("rankings", "nothing")
    assert (said.code, said.out) == (MISUSE, "")
    assert "arena tournament list" in said.err


def test_without_any_tournament_it_says_how_to_play_one_and_makes_no_file(empty_shell: Shell) -> None:
    said = empty_shell("rankings")
    assert (said.code, said.out) == (FAILED, "")
    assert "arena tournament run" in said.err
    assert not empty_shell.path.exists()


def test_a_file_that_is_not_ours_is_misuse_and_stays_as_it_was(empty_shell: Shell) -> None:
    empty_shell.path.write_text("my diary")
    said = empty_shell("rankings")
    assert said.code == MISUSE
    assert said.err.count("\n") == 1
    assert empty_shell.path.read_text() == "my diary"
