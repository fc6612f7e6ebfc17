"""Runs the migrations of Alembic in the transaction of the given connection."""

from alembic import context

from connectk.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
