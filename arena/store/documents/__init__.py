"""What is stored as JSON documents: the same ones for `--json` and for the API. Ids stand as `id`, digests in
hexadecimal digits, moments in ISO 8601, None where nothing can be said; every number is finite.

Nothing here reads the database: the documents are made of what was read.
"""
