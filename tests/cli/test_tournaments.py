"""`arena tournament list` and `arena tournament show`."""

from dataclasses import replace

from arena.game.variant import Variant
from arena.tournament.blocks import commitment
from arena.tournament.entries import entries_digest
from tests.cli.conftest import CUP, RUNNING
from tests.cli.stored import Shell, store_tournament
from tests.tournament.playing import bots, tournament


def test_all_tournaments_are_listed_the_latest_first(shell: Shell) -> None:
    listed = shell("tournament", "list", "--json").json
    assert [(one["id"], one["name"]) for one in listed] == [(RUNNING.id, "Running"), (CUP.id, "Cup")]
    assert [one["finished"] is None for one in listed] == [True, False]
    assert listed[0]["blocks"] == {"todo": 3, "running": 0, "done": 3, "quarantined": 0, "withdrawn": 0}
    lines = shell("tournament", "list").out.splitlines()
    assert "3 of 6" in lines[1]
    assert "not finished" in lines[1]
    assert "8 of 8" in lines[2]


def test_a_long_name_does_not_cost_the_minutes(empty_shell: Shell) -> None:
    cup = replace(CUP, name="The great cup of all the many bots that anybody ever wrote")
    store_tournament(empty_shell.path, cup, blocks=0)
    assert f" {cup.opened:%Y-%m-%d %H:%M} " in empty_shell("tournament", "list").out


def test_without_a_database_the_list_is_empty(empty_shell: Shell) -> None:
    assert empty_shell("tournament", "list", "--json").json == []
    assert empty_shell("tournament", "list").code == 0
    assert not empty_shell.path.exists()


def test_a_finished_tournament_is_shown_with_all_that_was_fixed_and_its_secret(shell: Shell) -> None:
    shown = shell("tournament", "show", "Cup", "--json").json
    assert shown["secret"] == CUP.secret.hex()
    assert shown["commitment"] == commitment(CUP.secret).hex()
    assert shown["entries_digest"] == entries_digest(CUP.entries).hex()
    assert shown["variant"] == CUP.variant.as_dict()
    assert shown["limits"] == CUP.limits.as_dict()
    assert [entry["id"] for entry in shown["entries"]] == [entry.digest.hex() for entry in CUP.entries]
    assert CUP.secret.hex() in shell("tournament", "show", "Cup").out


def test_the_secret_of_a_running_tournament_is_shown_nowhere(shell: Shell) -> None:
    assert shell("tournament", "show", "--json").json["secret"] is None
    assert RUNNING.secret.hex() not in shell("tournament", "show").out
    assert commitment(RUNNING.secret).hex() in shell("tournament", "show").out


def test_no_more_is_promised_than_the_commitment_proves(shell: Shell) -> None:
    with_a_beacon = " ".join(shell("tournament", "show", "Running").out.split())
    without = " ".join(shell("tournament", "show", "Cup").out.split())
    assert "nobody could have chosen the cards" in with_a_beacon
    assert "Nobody could change the cards after the commitment" in without
    assert "could have chosen the cards" not in without


def test_withdrawn_bots_and_blocks_given_up_are_named_with_their_reasons(empty_shell: Shell) -> None:
    cup = tournament(bots(5), 3, Variant(threshold=25))
    store_tournament(
        empty_shell.path, cup, withdrawn={cup.entries[0].digest: "it does not start"}, given_up="no space left"
    )
    shown = empty_shell("tournament", "show", cup.id)
    assert f"{cup.entries[0].name} 1.0 was withdrawn: it does not start" in shown.out
    assert "given up: no space left" in " ".join(shown.out.split())
    document = empty_shell("tournament", "show", cup.id, "--json").json
    assert [block["reason"] for block in document["quarantined"]] == ["no space left"]
    assert sum(entry["voids"] for entry in document["entries"]) == 9


def test_a_tournament_without_a_name_goes_by_its_id(empty_shell: Shell) -> None:
    store_tournament(empty_shell.path, replace(CUP, name=""), blocks=0)
    assert empty_shell("rankings").out.startswith(f"Tournament {CUP.id}: ")
    assert "()" not in empty_shell("tournament", "show").out
    assert f"{CUP.id}  –" in empty_shell("tournament", "list").out
