"""What Alembic runs for every upgrade: it works on the connection and in the transaction that the program gives it."""

from alembic import context

from arena.store.tables import Model

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Model.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
