"""The history of the schema, run by Alembic from inside the program; users need no configuration of it.

A new revision is a module in `versions/` in the manner of those that are there: plain SQLAlchemy types, nothing
imported from the program, alterations by `op.batch_alter_table`, names as the naming convention of `tables.py` makes
them. `HEAD` names the newest. A test compares what the revisions make with the tables.
"""

HEAD = "0009"
"""The newest revision. It stands here so that opening a current database need not load Alembic."""
