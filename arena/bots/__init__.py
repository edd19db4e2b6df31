"""Bots as folders and as processes: what a bot folder is, how it is fingerprinted, copied, built, started and ended.

May import the wire, the tournament's and match's ports and whatever lies below; knows no store and no command. Start
at `manifest` (what `bot.toml` says), then `package` (the digest), `launcher` (one process) and `player` (the port
through which the referee asks a process). `guard` is a program of its own that outlives a killed arena, and `orphans`
sweeps up where it could not. `probe` finds out which sandbox this machine offers, `sandbox` and `seccomp` say what one
is, and `sandboxed` is a process in it. `control_groups` and `watchdog` hold a bot to its limits: `usage` to what it
takes of the machine, `connections` to what it sends, `building` to what its build writes.
"""
