"""Writes set-up boards as texts such as 4xo.5x, and creates the table of the administrator's orders."""

import sqlalchemy as sa
from alembic import op

from connectk.notation.start import start_from_columns

revision = "0003"
down_revision = "0002"

matches = sa.table("matches", sa.column("id", sa.String), sa.column("setup", sa.JSON))


def upgrade() -> None:
    """Rewrite each set-up board, which was an object of columns counted from 0, as a text such as 4xo.5x."""
    op.create_table(
        "orders",
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("value", sa.String(100), primary_key=True),
    )
    connection = op.get_bind()
    for match_id, setup in connection.execute(sa.select(matches.c.id, matches.c.setup)).all():
        if isinstance(setup["start"], dict):
            changed = {**setup, "start": start_from_columns(setup["start"])}
            connection.execute(matches.update().where(matches.c.id == match_id).values(setup=changed))


def downgrade() -> None:
    raise NotImplementedError("restore a backup that was made before")
