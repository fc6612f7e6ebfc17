"""Adds the time at which a match's clock runs out, so that another process can end the match if its own process has
died.

Also adds an index for finding old matches.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("matches", sa.Column("deadline", sa.Float))
    there = sa.text("deadline IS NOT NULL")
    op.create_index("matches_by_deadline", "matches", ["deadline"], postgresql_where=there, sqlite_where=there)
    op.create_index("matches_by_change", "matches", ["changed"])


def downgrade() -> None:
    op.drop_index("matches_by_change", "matches")
    op.drop_index("matches_by_deadline", "matches")
    op.drop_column("matches", "deadline")
