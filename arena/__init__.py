"""Least Score Arena: a tournament arena for programs that play the card game Least Score.

Where to go: `arena.game` is the rules, `arena.match.referee` plays one turn from question to judgement,
`arena.tournament` says which matches are played and from which seeds, `arena.fleet` plays them in worker processes,
`arena.store` keeps them, `arena.rating` ranks, `arena.cli` is the `arena` command.
"""
