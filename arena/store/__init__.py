"""Where results live: the tables, the ledger that counts every block once, and the reads behind listings and exports.

May import `arena.wire.codec`, `arena.tournament` and what stands below them; the commands and pages above use
`open_store`, `SqlLedger`, `Repository`, `Archive` and `Ratings`. Two rules hold everywhere: a block is stored in one
transaction with its aggregates, and nothing of a block can be read before it is done. Ratings are a cache:
`ratings_rebuild.py` makes them, and all other sums, of the records anew. Who may do what, and who did, is in
`accounts.py` and `audit.py`: of a secret only a digest is kept. Start reading at `ledger.py`; `opening.py` decides
which files are touched at all.
"""
