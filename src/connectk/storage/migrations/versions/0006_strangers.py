"""Creates the tables for people who play strangers."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    _create_profiles()
    op.create_table(
        "seeks",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("profile", sa.String(32), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False, unique=True),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("variant", sa.String(40), nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("increment", sa.Float, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("best_of", sa.Integer, nullable=False),
        sa.Column("takes_level", sa.Boolean, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("match", sa.String(32)),
    )
    waiting = sa.text("match IS NULL")
    op.create_index("one_open_seek", "seeks", ["profile"], unique=True, postgresql_where=waiting, sqlite_where=waiting)
    op.create_index("seeks_by_seen", "seeks", ["seen"])
    _create_encounters()
    op.create_table(
        "mutes",
        sa.Column("profile", sa.String(32), primary_key=True),
        sa.Column("muted", sa.String(32), primary_key=True),
    )
    op.create_table(
        "reports",
        sa.Column("profile", sa.String(32), primary_key=True),
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("about", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("reports_by_about", "reports", ["about"])


def _create_profiles() -> None:
    op.create_table(
        "profiles",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("name_key", sa.String(120), unique=True),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.Column("balance", sa.Integer, nullable=False),
        sa.Column("abandoned", sa.JSON, nullable=False),
        sa.Column("paused_until", sa.Float, nullable=False),
        sa.Column("rated_at", sa.Float, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_index("profiles_by_seen", "profiles", ["seen"])
    op.create_table(
        "devices",
        sa.Column("secret", sa.String(64), primary_key=True),
        sa.Column("profile", sa.String(32), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("devices_by_profile", "devices", ["profile"])
    op.create_table(
        "transfers",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("profile", sa.String(32), nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )


def _create_encounters() -> None:
    op.create_table(
        "encounters",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("first", sa.String(32), nullable=False),
        sa.Column("second", sa.String(32), nullable=False),
        sa.Column("pair", sa.String(65), nullable=False),
        sa.Column("before", sa.JSON, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("best_of", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("points", sa.JSON, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("settled", sa.Float),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("after", sa.JSON),
        sa.Column("scores", sa.JSON),
        sa.Column("abandoned", sa.String(6)),
        sa.Column("next_at", sa.Float),
        sa.Column("evidence", sa.JSON),
    )
    op.create_index("encounters_by_pair", "encounters", ["pair", "settled"])
    op.create_index("encounters_by_first", "encounters", ["first", "created"])
    op.create_index("encounters_by_second", "encounters", ["second", "created"])
    open_ones = sa.text("settled IS NULL")
    op.create_index(
        "encounters_unsettled", "encounters", ["created"], postgresql_where=open_ones, sqlite_where=open_ones
    )
    upcoming = sa.text("next_at IS NOT NULL")
    op.create_index("encounters_with_next", "encounters", ["next_at"], postgresql_where=upcoming, sqlite_where=upcoming)


def downgrade() -> None:
    for table in ("reports", "mutes", "encounters", "seeks", "transfers", "devices", "profiles"):
        op.drop_table(table)
