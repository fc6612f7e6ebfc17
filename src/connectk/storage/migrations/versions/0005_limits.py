"""Creates the table of the rate limits that several servers share."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table on PostgreSQL only, because SQLite has a single server.

    To save time, changes of this table are not written to PostgreSQL's log. After a crash of the database, the table is
    therefore empty and every bucket is full.
    """
    if op.get_bind().dialect.name == "postgresql":
        op.create_table(
            "limits",
            sa.Column("name", sa.Text, primary_key=True),
            sa.Column("taken", sa.Double, nullable=False),
            sa.Column("rate", sa.Double, nullable=False),
            sa.Column("capacity", sa.Double, nullable=False),
            sa.Column("at", sa.Double, nullable=False),
            prefixes=["UNLOGGED"],
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_table("limits")
