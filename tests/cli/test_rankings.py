"""`arena rankings`: the numbers of a tournament and what must be known to read them."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from arena.bots.folders import open_folder
from arena.cli.errors import FAILED, MISUSE
from arena.game.variant import Variant
from arena.rating.counts import MatchResult, pair_counts
from arena.rating.elo import online_changes
from arena.rating.figures import likelihood, signed
from arena.rating.model import fit
from arena.settings import sample_bots
from arena.store.ledger import SqlLedger
from arena.tournament.entries import Entry, sort_entries
from arena.tournament.formats import plan
from arena.tournament.ports import BlockResult
from tests.cli.conftest import CUP, RUNNING
from tests.cli.stored import Shell, store_tournament
from tests.store import made
from tests.tournament.playing import Manners, bots, play_block, tournament


def matches_of_cup(fault_rate: float = 0.01) -> list[list[MatchResult[bytes]]]:
    blocks = plan(CUP.format, CUP.entries, CUP.seats, CUP.deals, CUP.variant, CUP.limits)
    played = [play_block(CUP, block, Manners(fault_rate=fault_rate)) for block in blocks]
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


def test_a_rating_has_an_interval_a_rank_and_the_block_that_it_stands_at(shell: Shell) -> None:
    rows, shown = shell("rankings", "Cup", "--json").json, shell("rankings", "Cup").out
    for row in rows:
        assert row["low"] == pytest.approx(row["rating"] - row["half_width"])
        assert (row["kind"], row["finished_blocks"], row["blocks"]) == ("two-sided", 8, 6)
        first, last = row["rank"]
        assert 1 <= first <= row["place"] <= last <= 4
        cells = f"{row['rating']:.0f} ± {row['half_width']:.0f} {first}–{last} 18 6 "
        assert cells in " ".join(shown.split())
    assert "8 of 8 blocks played" in shown


def test_of_very_many_blocks_the_page_says_of_which_its_intervals_are(
    empty_shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.ratings.MANY_BLOCKS", 1)
    store_tournament(empty_shell.path, CUP, blocks=3)
    assert "intervals and ranks were not computed yet" in " ".join(empty_shell("rankings").out.split())
    empty_shell("rate")
    assert "intervals" not in empty_shell("rankings").out
    assert {row["measured_blocks"] for row in empty_shell("rankings", "--json").json} == {3}


def test_nobody_is_certain_who_won_everything(empty_shell: Shell) -> None:
    store_made(empty_shell.path, [(1, 2)] * 12)
    winner, loser = empty_shell("rankings", "--json").json
    assert (winner["kind"], winner["flag"], winner["half_width"], winner["high"]) == ("above", ">", None, None)
    assert (loser["kind"], loser["flag"], loser["low"]) == ("below", "<", None)
    shown = " ".join(empty_shell("rankings").out.split())
    assert f"bot0 1.0 > {winner['low']:.0f} " in shown
    assert f"bot1 1.0 < {loser['high']:.0f} " in shown
    assert "> bot0 1.0 won every point" in shown
    assert "± 0" not in shown


def test_ties_only_leave_two_equals_with_an_interval(empty_shell: Shell) -> None:
    store_made(empty_shell.path, [(1, 1)] * 12)
    rows = empty_shell("rankings", "--json").json
    assert [(row["rating"], row["place"], row["rank"]) for row in rows] == [(1500, 1, [1, 2])] * 2
    assert all(row["half_width"] > 0 for row in rows)
    assert [row["bot"] for row in rows] == ["bot0", "bot1"], "equals stand by name"


def store_made(path: Path, places: list[tuple[int, int]]) -> None:
    """A tournament of two bots with these places, a block of two matches each."""
    cup = made.tournament(bots=2, seats=2)
    digests = {entry.name: entry.digest for entry in cup.entries}
    cup = replace(cup, deals=len(places))
    with made.opened(path, cup) as store, SqlLedger(store).lead(cup.id) as epoch:
        for place in places:
            (claimed,) = SqlLedger(store).claim(cup.id, epoch, 1)
            matches = []
            for match in made.result(claimed, faults=False).matches:
                of = {digests[f"bot{bot}"]: place[bot] for bot in range(2)}
                seats = tuple(seat._replace(place=of[seat.bot], points=9 + of[seat.bot]) for seat in match.seats)
                matches.append(match._replace(seats=seats))
            SqlLedger(store).complete(cup.id, epoch, BlockResult(claimed.block.block_id, 1, tuple(matches)))


def test_the_second_list_leaves_out_whole_blocks_with_a_fault(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, CUP, Manners(fault_rate=0.005))
    every = {row["id"]: row for row in empty_shell("rankings", "--json").json}
    clean = empty_shell("rankings", "--clean", "--json").json
    blocks = [block for block in matches_of_cup(0.005) if not any(any(match.faulted) for match in block)]
    assert 0 < len(blocks) < 8
    for row in clean:
        assert row["matches"] == sum(bytes.fromhex(row["id"]) in match.seats for block in blocks for match in block)
        assert (row["faults"], row["fault_matches"]) == (0, 0)
        assert row["blocks"] <= every[row["id"]]["blocks"] == 6
    assert f"Without the {8 - len(blocks)} blocks in which a bot had a fault" in empty_shell("rankings", "--clean").out


def test_every_two_bots_are_set_against_each_other(shell: Shell) -> None:
    pairs = shell("rankings", "Cup", "--pairs", "--json").json
    assert len(pairs) == 6
    ratings = {row["id"]: row["rating"] for row in shell("rankings", "Cup", "--json").json}
    shown = shell("rankings", "Cup", "--pairs").out
    for pair in pairs:
        assert pair["difference"] == pytest.approx(ratings[pair["a"]] - ratings[pair["b"]])
        assert (pair["blocks"], pair["games"]) == (4, 12)
        assert f"{signed(pair['difference'], 0)} ±{pair['half_width']:.0f}" in shown
        assert likelihood(pair["los"]) in shown


def test_the_history_ends_with_the_ranking_and_knows_nothing_of_the_order_of_play(shell: Shell) -> None:
    marks = shell("rankings", "Cup", "--history", "--json").json
    assert [mark["blocks"] for mark in marks] == list(range(1, 9))
    final = {row["id"]: row["rating"] for row in shell("rankings", "Cup", "--json").json}
    assert marks[-1]["ratings"] == pytest.approx(final)
    (first, *_) = plan(CUP.format, CUP.entries, CUP.seats, CUP.deals, CUP.variant, CUP.limits)
    assert set(marks[0]["ratings"]) == {digest.hex() for digest in first.lineup}
    assert "after" in shell("rankings", "Cup", "--history").out


def test_a_running_elo_goes_through_the_matches_in_the_order_of_the_plan(shell: Shell) -> None:
    marks = shell("rankings", "Cup", "--history", "--online", "--json").json
    running: dict[bytes, float] = {}
    for match in (match for block in matches_of_cup() for match in block):
        changes = online_changes([running.get(bot, 1500.0) for bot in match.seats], match.places)
        for bot, change in zip(match.seats, changes, strict=True):
            running[bot] = running.get(bot, 1500.0) + change
    assert marks[-1]["ratings"] == pytest.approx({bot.hex(): rating for bot, rating in running.items()})
    for mark in marks:
        assert sum(mark["ratings"].values()) == pytest.approx(1500 * len(mark["ratings"]))
    assert "Running Elo" in shell("rankings", "Cup", "--history", "--online").out


def test_luck_is_told_with_every_seat(shell: Shell) -> None:
    luck = shell("rankings", "Cup", "--luck", "--json").json
    assert (luck["blocks"], luck["matches"], len(luck["seats"])) == (8, 24, 3)
    assert sum(seat["share"] for seat in luck["seats"]) == pytest.approx(1.5)
    shown = shell("rankings", "Cup", "--luck").out
    for seat in luck["seats"]:
        assert f" {100 * seat['share']:.1f} % ± {100 * seat['share_chance']:.1f}" in shown


def test_few_blocks_do_not_tell_what_shared_deals_save(shell: Shell) -> None:
    assert "it takes 30 a bot" in " ".join(shell("rankings", "Cup", "--luck").out.split())
    assert "on deals of its own" not in " ".join(shell("rankings", "Cup").out.split())


def test_what_shared_deals_save_is_told_with_its_interval(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, tournament(bots(2), 2, Variant(threshold=5), deals=30))
    effect = empty_shell("rankings", "--luck", "--json").json["design_effect"]
    shown = " ".join(empty_shell("rankings", "--luck").out.split())
    assert f"{effect['points']:.2f} ± {1.96 * effect['points_error']:.2f} by points" in shown
    assert f"{1 / effect['points']:.1f} (" in " ".join(empty_shell("rankings").out.split())


def test_every_page_fits_into_80_columns_whatever_the_names(empty_shell: Shell) -> None:
    long = [Entry("斗地主" * 9, "1.0", b"\x01" * 32), Entry("a-very-long-name-" * 3, "2.13.4", b"\x02" * 32)]
    store_tournament(empty_shell.path, tournament(sort_entries([*long, *bots(3)]), 3, Variant(threshold=25)))
    for page in ([], ["--clean"], ["--pairs"], ["--history"], ["--luck"]):
        assert max(cell_len(line) for line in empty_shell("rankings", *page).out.splitlines()) <= 80, page


def test_every_page_of_a_tournament_without_a_match_has_something_to_say(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, tournament(bots(3), 3, Variant()), blocks=0)
    for page in ("--clean", "--pairs", "--history", "--luck"):
        said = empty_shell("rankings", page)
        assert (said.code, said.err) == (0, ""), page
        assert len(said.out.splitlines()) > 2, page
        assert empty_shell("rankings", page, "--json").code == 0, page


def test_two_pages_at_once_are_misuse(shell: Shell) -> None:
    assert shell("rankings", "--pairs", "--luck").code == MISUSE


def test_a_bot_that_sat_twice_at_a_table_is_one_row_and_no_pair_with_itself(empty_shell: Shell) -> None:
    one, other = made.entries(2)
    clones = replace(made.tournament(), entries=(one, one, other))
    with made.opened(empty_shell.path, clones) as store:
        made.play(store, clones)
    assert [row["matches"] for row in empty_shell("rankings", "--json").json] == [6, 6]
    (pair,) = empty_shell("rankings", "--pairs", "--json").json
    assert {pair["a"], pair["b"]} == {one.digest.hex(), other.digest.hex()}
    assert empty_shell("rankings").code == 0


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
