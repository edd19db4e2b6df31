"""The pages: what people look at and click, made on the server from what is stored.

`app.py` puts them together, `site.py` is what a page is given, `pages/` has a module for each page and `api/` what
programs read. Imports `arena.fleet`, `arena.store` and everything below. Nothing happens at import; a page reads of
the database only finished blocks; what changes something asks `accounts.py` who may, and has it written down; nothing
that is shown comes from another host.
"""
