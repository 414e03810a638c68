"""Games with a master: their terms, talk by role, visits, subscriptions, and how reliable players are."""

import sqlalchemy as sa
from alembic import op

revision = "0002_masters"
down_revision = "0001_first"


def upgrade() -> None:
    op.add_column("game_table", sa.Column("terms", sa.Text(), nullable=True))
    op.add_column("game_table", sa.Column("name_key", sa.Text(), nullable=True))
    op.create_index("game_table_name_key", "game_table", ["name_key"], unique=True)
    op.create_index("game_table_host", "game_table", ["host_id"])
    op.add_column("message", sa.Column("author_role", sa.Integer(), nullable=True))
    op.add_column("message", sa.Column("to_role", sa.Integer(), nullable=True))
    op.create_table(
        "visit",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "account_id", "role", name=op.f("visit_pkey")),
    )
    op.create_table(
        "subscription",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("digest", sa.Integer(), nullable=False),
        sa.Column("stop_key", sa.Text(), nullable=False),
        sa.Column("told_seq", sa.BigInteger(), nullable=False),
        sa.Column("told_message", sa.BigInteger(), nullable=False),
        sa.Column("told_deadline", sa.BigInteger(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "account_id", name=op.f("subscription_pkey")),
        sa.UniqueConstraint("stop_key", name=op.f("subscription_stop_key_unique")),
    )
    op.create_index("subscription_next", "subscription", ["next_at"])
    op.create_table(
        "conduct",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("week", sa.Integer(), nullable=False),
        sa.Column("owed", sa.Integer(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "week", name=op.f("conduct_pkey")),
    )
    op.create_table(
        "tally",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("tally_pkey")),
    )
    op.create_table(
        "house_secret",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("house_secret_pkey")),
    )
