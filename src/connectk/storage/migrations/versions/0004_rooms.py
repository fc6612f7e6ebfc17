"""Creates the tables of rooms and of their events."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("code", sa.String(12), primary_key=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("setup", sa.JSON, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("rooms_by_state", "rooms", ["closed", "changed"])
    op.create_table(
        "room_events",
        sa.Column("room", sa.String(12), sa.ForeignKey("rooms.code"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("facts", sa.JSON, nullable=False),
    )


def downgrade() -> None:
    for table in ("room_events", "rooms"):
        op.drop_table(table)
