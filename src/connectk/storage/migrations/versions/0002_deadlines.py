"""When each side to move runs out of time, so that a clock whose process has died is found; and what is old."""

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
