"""Days on which somebody is away, and votes for who stands in for whoever is always late."""

import sqlalchemy as sa
from alembic import op

revision = "0014_absence"
down_revision = "0013_reply_tokens"


def upgrade() -> None:
    op.create_table(
        "absence",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("account_id", "first", name=op.f("absence_pkey")),
    )
    op.create_table(
        "stand_in_vote",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("voter_id", sa.BigInteger(), nullable=False),
        sa.Column("candidate_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", "voter_id", name=op.f("stand_in_vote_pkey")),
    )
