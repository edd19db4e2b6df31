"""Ratings: how strong the bots are, worked out from finished matches and from nothing else.

Everything here is a pure function of results: no clock, no I/O, no randomness, no framework; it imports numpy and
nothing of the arena. Read `counts` (what a match leaves behind), then `model` (the fit and the Elo scale), then
`standings` (the table that people see); `likelihood` holds the mathematics, `graph` tells which bots can be compared
at all, `elo` is the running number of a history chart. README.md has the formulae.
"""
