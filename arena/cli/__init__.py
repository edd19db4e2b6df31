"""The `arena` command: one module a command group, and the place where everything is put together.

May import all of the arena; nothing imports it. `main.py` is the entry and the composition root, `errors.py` decides
which exit code a failure has, `output.py` how commands speak. What is heavy (numpy, the database, gRPC) is imported
inside the commands that need it, so that `arena --help` answers at once.
"""
