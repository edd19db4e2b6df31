"""Tournaments: who plays whom, on which deals, from which seed, and how anybody can check it afterwards.

May import `arena.match`, `arena.rating` and `arena.game`; knows neither processes nor databases. `blocks.py` derives
identities, seeds and seats, `formats` makes plans, `ports.py` says what a campaign needs of a store, `export.py` and
`verify.py` are the outside view.
"""
