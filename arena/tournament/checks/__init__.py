"""The checks behind `arena.tournament.verify`: each reads matches as an export tells them and says what does not hold.

May import what `arena.tournament` may. `report.py` is what they write, `shape.py` makes sure that a line can be read at
all, `derivation.py` checks identities, seed and seats, `play.py` plays the match again, `whole.py` looks across lines.
"""
