"""`arena matches` and `arena replay`."""

import sqlite3
from contextlib import closing

import pytest

from arena.cli.errors import FAILED, MISUSE
from arena.game.variant import Variant
from tests.cli.conftest import CUP, RUNNING
from tests.cli.stored import Shell, store_tournament
from tests.tournament.playing import bots, tournament


def test_finished_matches_are_listed_the_latest_first_with_their_whole_ids(shell: Shell) -> None:
    listed = shell("matches", "--json", "--limit", "100").json
    assert [match["tournament"] for match in listed] == [RUNNING.id] * 6 + [CUP.id] * 24
    assert [match["key"] for match in listed] == sorted((match["key"] for match in listed), reverse=True)
    for match in listed:
        assert match["id"] == f"{match['tournament']}/{match['block_id']}/{match['rotation']}"
        assert sorted(seat["place"] for seat in match["seats"])[0] == 1


def test_a_listed_match_tells_how_it_ended(shell: Shell) -> None:
    for match in shell("matches", "--json", "--limit", "5").json:
        exported = shell("export", match["id"], "--out", "-").json
        assert match["ending"] == exported["ending"]
    assert "last standing" in shell("matches", "--limit", "5").out


def test_the_last_key_of_a_page_leads_to_the_next(shell: Shell) -> None:
    everything = shell("matches", "--json", "--limit", "100").json
    first = shell("matches", "--json", "--limit", "7").json
    second = shell("matches", "--json", "--limit", "7", "--after", str(first[-1]["key"])).json
    assert first + second == everything[:14]
    assert f"--after {first[-1]['key']}" in shell("matches", "--limit", "7").out
    assert "no earlier" in shell("matches", "--after", str(everything[-1]["key"])).out


def test_matches_of_one_bot_or_tournament_can_be_asked_for(shell: Shell) -> None:
    for match in shell("matches", "--bot", "bot1", "--tournament", "Cup", "--limit", "100", "--json").json:
        assert match["tournament"] == CUP.id
        assert "bot1" in [seat["bot"] for seat in match["seats"]]


@pytest.mark.parametrize("arguments", [["--bot", "nobody"], ["--tournament", "nothing"]])
def test_asking_for_what_is_not_there_is_misuse(arguments: list[str], shell: Shell) -> None:
    said = shell("matches", *arguments)
    assert (said.code, said.out) == (MISUSE, "")


def test_a_listed_line_names_seats_by_place_and_its_short_id_replays(shell: Shell) -> None:
    match = shell("matches", "--tournament", "Running", "--limit", "1", "--json").json[0]
    line = shell("matches", "--tournament", "Running", "--limit", "1").out.splitlines()[1]
    short = line.split()[0]
    winner = min(match["seats"], key=lambda seat: seat["place"])
    assert f"1 {winner['bot']} 1.0 {winner['points']}" in line
    assert match["id"].startswith(short.rpartition("/")[0])
    assert shell("replay", short).out == shell("replay", match["id"]).out


def test_a_replay_ends_with_the_stored_places_and_points(shell: Shell) -> None:
    for match in shell("matches", "--tournament", "Cup", "--limit", "100", "--json").json:
        ending = shell("replay", match["id"]).out.split("The match ended: ")[1].splitlines()
        rows = {int(line.split()[1]): line.split() for line in ending[1:]}
        for seat, expected in enumerate(match["seats"]):
            assert (int(rows[seat][0]), int(rows[seat][3])) == (expected["place"], expected["points"])


def test_a_replay_can_be_seen_through_one_seats_eyes_and_deal_by_deal(shell: Shell) -> None:
    match = shell("matches", "--tournament", "Cup", "--limit", "1", "--json").json[0]
    assert "··" not in shell("replay", match["id"]).out
    one = shell("replay", match["id"], "--seat", "1", "--deal", "0").out
    assert "··" in one
    assert "Only what seat 1 could see" in one
    assert "Deal 1" not in one


@pytest.mark.parametrize("arguments", [["--seat", "3"], ["--deal", "99"]])
def test_a_seat_or_deal_that_the_match_does_not_have_is_misuse(arguments: list[str], shell: Shell) -> None:
    match = shell("matches", "--tournament", "Cup", "--limit", "1", "--json").json[0]
    said = shell("replay", match["id"], *arguments)
    assert (said.code, said.out) == (MISUSE, "")
    assert "choose one of 0 to" in said.err


@pytest.mark.parametrize("name", ["nothing", "Cup/ffffffff/0", "Running/0/9"])
def test_an_address_without_a_match_is_misuse(name: str, shell: Shell) -> None:
    assert shell("replay", name).code == MISUSE


def test_a_damaged_record_is_named_and_no_bug(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, tournament(bots(2), 2, Variant(threshold=25)))
    with closing(sqlite3.connect(empty_shell.path)) as database:
        database.execute("UPDATE record SET data = x'00'")
        database.commit()
    match = empty_shell("matches", "--json").json[0]["id"]
    assert empty_shell("matches", "--json").json[0]["ending"] is None
    for command in (["replay", match], ["export", match, "--out", "-"], ["verify", "cup"]):
        said = empty_shell(*command)
        assert (said.code, said.out) == (FAILED, "")
        assert "is damaged" in said.err
