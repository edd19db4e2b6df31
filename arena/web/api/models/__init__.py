"""What the API answers, as pydantic models: the schema of the documents in `arena.store.documents`, each field told."""
