"""Who does something by a command, and that it is written down."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.store.audit import Doer
    from arena.store.engine import Store
    from arena.store.roles import Deed

COMMAND_LINE = "command line"
"""Where the one who typed a command comes from."""


def doer() -> Doer:
    """Who typed this command."""
    from arena.store.audit import Doer

    try:
        return Doer(getpass.getuser(), COMMAND_LINE)
    except (KeyError, OSError, ImportError):
        return Doer("", COMMAND_LINE)  # an account without a name


def note(store: Store, deed: Deed, subject: str) -> None:
    """Write down what was done to what."""
    from arena.store.audit import AuditLog

    AuditLog(store).add(datetime.now(UTC), doer(), deed, subject)
