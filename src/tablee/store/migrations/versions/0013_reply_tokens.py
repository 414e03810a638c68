"""Orders by letter: tokens that answer, what came already, what waits to be said, who reads the mailbox."""

import sqlalchemy as sa
from alembic import op

revision = "0013_reply_tokens"
down_revision = "0012_calling"


def upgrade() -> None:
    op.create_table(
        "reply_token",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("phase", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("hash", name="reply_token_pkey"),
    )
    op.create_index("reply_token_account", "reply_token", ["account_id"])
    op.create_index("reply_token_made", "reply_token", ["made_at"])
    op.create_table(
        "mail_taken",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="mail_taken_pkey"),
    )
    op.create_index("mail_taken_at", "mail_taken", ["at"])
    op.create_table(
        "unsent",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("to_roles", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="unsent_pkey"),
    )
    op.create_index("unsent_account", "unsent", ["account_id"])
    op.create_index("unsent_made", "unsent", ["made_at"])
    op.create_table(
        "lease",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="lease_pkey"),
    )
