"""The API: what the pages show, for programs, below `/api/v1`; its README has examples.

An application of its own within that of the pages: it knows neither forms nor languages, answers in JSON, and tells
every failure as problem details. The documents are those that commands print with `--json`; `models/` has their
schema, and a module here a group of addresses.
"""

PATH = "/api/v1"
"""Where it stands."""
