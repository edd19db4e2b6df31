"""What is done to bots by commands is written down like what is done in a browser."""

from __future__ import annotations

import getpass

import pytest

from arena.cli.doing import COMMAND_LINE
from arena.store.opening import open_store
from arena.store.results import Results
from arena.store.roles import Deed
from tests.bots.serving import ServedBot
from tests.cli.stored import Shell


def test_submitting_retiring_and_restoring_are_written_down_once_each(
    empty_shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "root")
    bot = ServedBot()
    for command in (("submit", bot.address, "--owner", "ann"),) * 2 + (("bots", "retire", "served"),):
        assert empty_shell(*command).code == 0
    bot.stop()
    assert empty_shell("bots", "restore", "served").code == 0
    with open_store(f"sqlite:///{empty_shell.path}", write=False) as store:
        found = Results.of(store).audit.page(limit=9)[::-1]
    assert [(one.owner, one.deed, one.subject, one.origin) for one in found] == [
        ("root", Deed.SUBMITTED, "served 2 of ann", COMMAND_LINE),
        ("root", Deed.RETIRED, "served 2", COMMAND_LINE),
        ("root", Deed.RESTORED, "served 2", COMMAND_LINE),
    ]
