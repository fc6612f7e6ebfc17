"""Adds the swap rule to seeks, and a hash of both addresses to encounters."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("seeks", sa.Column("swap_discs", sa.Integer, nullable=False, server_default="0"))
    op.add_column("encounters", sa.Column("places", sa.String(32)))
    there = sa.text("places IS NOT NULL")
    op.create_index("encounters_by_places", "encounters", ["places"], postgresql_where=there, sqlite_where=there)


def downgrade() -> None:
    op.drop_index("encounters_by_places", "encounters")
    op.drop_column("encounters", "places")
    op.drop_column("seeks", "swap_discs")
