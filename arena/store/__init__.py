"""Where results live: the tables, the ledger that counts every block once, and the reads behind listings and exports.

May import `arena.tournament` and what stands below it; the commands and pages above use `open_store`, `SqlLedger`,
`Repository` and `Archive`. Two rules hold everywhere: a block is stored in one transaction with its aggregates, and
nothing of a block can be read before it is done. Start reading at `ledger.py`; `opening.py` decides which files are
touched at all.
"""
