"""The garbage collector of a server: while it goes through all that lives, nobody is answered."""

from __future__ import annotations

import gc


def spare_what_stays() -> None:
    """Let the collector leave alone for good what lives now: modules, routes and templates, as long as the process.

    With them a full collection takes a tenth of a second, ten times as long as a page.
    """
    gc.collect()
    gc.freeze()
