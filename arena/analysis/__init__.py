"""What can be thought about a game in progress: simple ways to play, playouts without processes, and luck in figures.

Everything here is pure: no clock, no I/O but to read what was learned, no randomness of its own. It imports
`arena.game` and numpy at most, so that bots may use it too. Read `policies`, then `playouts`; `selfplay`
plays many matches. What a turn is worth: `counting`, `beliefs` and `worlds` say where the cards may be, `hands`,
`styles` and `deals` play thousands of deals at once, and `evaluation` brings them together; `explain`
judges with it what was played. `watchful` is the strongest of those who play on, `learning` how it came to be.
"""
