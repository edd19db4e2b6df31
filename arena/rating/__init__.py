"""Ratings: how strong the bots are, worked out from finished matches and from nothing else.

Everything here is a pure function of results: no clock, no I/O, no randomness, no framework; it imports numpy,
scipy.special and nothing of the arena. Two ways lead through it. From sums: `counts` (what a match leaves behind),
`model` (the fit), `scale` (Elo and places). From whole results: `results` (columns, one row a
seat), `report` (everything that a list says, with `intervals`, `comparisons`, `cycles`, `luck`, `seats`), `documents`
(the same as JSON). `likelihood` holds the mathematics, `graph` tells which bots can be compared at all, `live` follows
a running list, `sprt` compares two versions, `questions` says when one is answered, `elo` is the running number of a
history chart. README.md has the formulae.
"""
