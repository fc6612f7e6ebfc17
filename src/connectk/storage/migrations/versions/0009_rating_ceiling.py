"""Adds to profiles the number of their opponents. Adds to encounters the hashes that identify opponents."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("profiles", sa.Column("opponents", sa.Integer, nullable=False, server_default="0"))
    for name in ("opponent_of_first", "opponent_of_second"):
        op.add_column("encounters", sa.Column(name, sa.String(32)))
    there = sa.text("opponent_of_first IS NOT NULL")
    op.create_index("encounters_with_opponents", "encounters", ["created"], postgresql_where=there, sqlite_where=there)


def downgrade() -> None:
    op.drop_index("encounters_with_opponents", "encounters")
    for name in ("opponent_of_first", "opponent_of_second"):
        op.drop_column("encounters", name)
    op.drop_column("profiles", "opponents")
