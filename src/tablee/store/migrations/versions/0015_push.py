"""Browsers that take push messages, and when a call is pushed."""

import sqlalchemy as sa
from alembic import op

revision = "0015_push"
down_revision = "0014_absence"


def upgrade() -> None:
    op.create_table(
        "device",
        sa.Column("session_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("endpoint", "p256dh", "auth")),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("reached_at", sa.BigInteger(), nullable=True),
        sa.Column("failed_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name=op.f("device_pkey")),
        sa.UniqueConstraint("endpoint", name="device_endpoint_unique"),
    )
    op.create_index("device_account", "device", ["account_id"])
    op.add_column("call", sa.Column("push_at", sa.BigInteger(), nullable=True))
    op.add_column("call", sa.Column("pushed_at", sa.BigInteger(), nullable=True))
    op.create_index("call_push", "call", ["push_at"])
