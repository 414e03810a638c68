"""What a seat has marked for itself alone, beside the log."""

import sqlalchemy as sa
from alembic import op

revision = "0007_marks"
down_revision = "0006_stand_in"


def upgrade() -> None:
    op.create_table(
        "mark",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("mark_pkey")),
    )
