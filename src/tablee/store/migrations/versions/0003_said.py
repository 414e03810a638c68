"""Which requests to say something were obeyed."""

import sqlalchemy as sa
from alembic import op

revision = "0003_said"
down_revision = "0002_masters"


def upgrade() -> None:
    op.create_table(
        "said",
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("author_id", "channel", "request_id", name=op.f("said_pkey")),
    )
    op.create_index("said_at", "said", ["at"])
