"""A person at a table in the browser.

`opponents.py` says who may be played against, `games.py` keeps the tables, `game.py` is one of them, `course.py` what
its person sees happen, and `showing.py` makes pages and parts of pages of it.
"""
