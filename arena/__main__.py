"""The `arena` command, also as `python -m arena`; it can be stopped before it is even loaded."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from arena.cli.main import main as run  # noqa: PLC0415  loading takes long enough to be interrupted
    except KeyboardInterrupt:
        sys.exit("arena: stopped")
    run()


if __name__ == "__main__":
    main()
