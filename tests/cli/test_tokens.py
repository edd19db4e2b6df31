"""`arena tokens`: a token is shown once, listed without its secret, and of no use when it was revoked."""

from __future__ import annotations

import json

import pytest

from arena.cli.errors import MISUSE
from arena.store.opening import open_store
from arena.store.results import Results
from arena.store.roles import Deed, Role
from tests.cli.stored import Shell


def test_a_token_is_printed_alone_so_that_it_can_be_piped(empty_shell: Shell) -> None:
    said = empty_shell("tokens", "create", "Ada")
    assert said.code == 0
    secret = said.out.strip()
    assert secret.startswith("lsa_") and len(secret) > 40
    assert "Token 1 of Ada (author)" in said.err
    with open_store(f"sqlite:///{empty_shell.path}", write=False) as store:
        found = Results.of(store).accounts.bearer(secret)
    assert found is not None and found.owner == "Ada"


def test_the_list_shows_no_secrets(empty_shell: Shell) -> None:
    secret = json.loads(empty_shell("tokens", "create", "Ada", "--role", "organiser", "--json").out)["token"]
    assert empty_shell("tokens", "revoke", "1").out == "Revoked token 1 of Ada.\n"
    empty_shell("tokens", "create", "Grace")
    listed = empty_shell("tokens", "list", "--json").out
    assert secret.removeprefix("lsa_") not in listed
    shown = [(one["id"], one["owner"], one["role"], one["revoked"] is None) for one in json.loads(listed)]
    assert shown == [(1, "Ada", "organiser", False), (2, "Grace", "author", True)]
    assert "Grace" in empty_shell("tokens", "list").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("revoke", "7"), "there is no token 7: `arena tokens list` shows all"),
        (("create", "../Ada"), "looks like a path or an option"),
        (("create", "ADA"), "looks like 'Ada', who is another one"),
        (("create", "Eve", "--role", "god"), "'god' is not one of 'author', 'organiser'"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(empty_shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    empty_shell("tokens", "create", "Ada")
    answer = empty_shell("tokens", *arguments)
    assert (answer.code, answer.out) == (MISUSE, "")
    assert said in answer.err and len(answer.err.splitlines()) == 1


def test_it_is_written_down_who_made_it(empty_shell: Shell) -> None:
    empty_shell("tokens", "create", "Ada", "--role", Role.ORGANISER)
    with open_store(f"sqlite:///{empty_shell.path}", write=False) as store:
        (one,) = Results.of(store).audit.page(limit=2)
    assert (one.deed, one.subject, one.origin) == (
        Deed.CREATED, "token 1 of Ada (organiser)", "command line",
    )  # fmt: skip
