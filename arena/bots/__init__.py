"""Bots as folders and as processes: what a bot folder is, how it is fingerprinted, copied, built, started and ended.

May import the wire, the tournament's and match's ports and whatever lies below; knows no store and no command. Start
at `manifest` (what `bot.toml` says), then `package` (the digest), `launcher` (one process) and `player` (the port
through which the referee asks a process). `guard` is a program of its own that outlives a killed arena.
"""
