"""One match: the clock, the order of verdicts, the record, and the referee that plays many tables at once.

May import `arena.game` only. How a bot is reached stays behind the port in `player.py`; start reading at `referee.py`.
"""
