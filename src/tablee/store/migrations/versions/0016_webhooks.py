"""Webhooks and what they are still to be told; keys of calendars and feeds."""

import sqlalchemy as sa
from alembic import op

revision = "0016_webhooks"
down_revision = "0015_push"


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("table_id", "owner_id")),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("kind", "url", "secret", "language", "events")
        ),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("added_at", "due_at")),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in ("sent_at", "paused_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("webhook_pkey")),
    )
    op.create_index("webhook_table", "webhook", ["table_id"])
    op.create_index("webhook_owner", "webhook", ["owner_id"])
    op.create_table(
        "announcement",
        *(
            sa.Column(name, sa.BigInteger(), nullable=False)
            for name in ("webhook_id", "table_id", "seq", "at")
        ),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("webhook_id", "table_id", "seq", name=op.f("announcement_pkey")),
    )
    op.create_index("announcement_table", "announcement", ["table_id"])
    op.create_index("announcement_at", "announcement", ["at"])
    op.create_table(
        "follow_key",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name=op.f("follow_key_pkey")),
        sa.UniqueConstraint("hash", name=op.f("follow_key_hash_unique")),
    )
