"""Playing a plan: worker processes ("slots") that play blocks with real bots, and the loop over the ledger.

`engine.py` is the port to whatever carries jobs, `local.py` carries them to slots on this machine, `slot.py` is the
process that plays them, `setups.py` fits slots to the machine, `campaign.py` feeds an engine from the ledger and stores
what comes back. `live_match.py` is one match with a person at the table, `examination.py` a strange bot looked at in a
process of its own. Imports `arena.bots` and everything below; the store is reached through `arena.tournament.ports`
only.
"""
