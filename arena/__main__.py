"""`python -m arena` is the `arena` command."""

from arena.cli.main import main

main()
