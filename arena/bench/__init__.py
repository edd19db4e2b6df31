"""How fast this arena is here: every figure beside a yardstick of the same run.

`measures.py` is what is measured, with its goals and yardsticks; `speed.py` goes through it in rounds, `table.py` shows
it. Each measuring program is a process of its own (`program.py`), which works only while it is asked for figures:
`pings.py`, `turns.py`, `tournaments.py`, `in_process.py`, `cores.py`, `rules.py`, `memory.py`, and `other_games.py` for
games of other projects. Imports `arena.fleet`, `arena.store` and everything below.
"""
