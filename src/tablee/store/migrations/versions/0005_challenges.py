"""Challenges and rematches, and which side a seat played."""

import sqlalchemy as sa
from alembic import op

revision = "0005_challenges"
down_revision = "0004_notebooks"


def upgrade() -> None:
    op.add_column("outcome", sa.Column("side", sa.Text(), nullable=True))
    op.create_table(
        "challenge",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.Text(), nullable=True),
        sa.Column("from_id", sa.BigInteger(), nullable=False),
        sa.Column("to_id", sa.BigInteger(), nullable=False),
        sa.Column("rematch_of", sa.BigInteger(), nullable=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("time_control", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("challenge_pkey")),
        sa.UniqueConstraint("slot", name=op.f("challenge_slot_unique")),
    )
    op.create_index("challenge_from", "challenge", ["from_id"])
    op.create_index("challenge_to", "challenge", ["to_id"])
    op.create_index("challenge_expires", "challenge", ["status", "expires_at"])
