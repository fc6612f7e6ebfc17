"""Creates the tables of the opening explorer."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "opening_counts",
        sa.Column("board", sa.String(200), primary_key=True),
        sa.Column("column", sa.Integer, primary_key=True),
        sa.Column("by_computer", sa.Boolean, primary_key=True),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("opening_counts_by_change", "opening_counts", ["changed"])
    op.create_table("counted_matches", sa.Column("match", sa.String(32), primary_key=True))


def downgrade() -> None:
    op.drop_table("counted_matches")
    op.drop_table("opening_counts")
