"""Championships: one standings over several tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "0021_championships"
down_revision = "0020_tournament_times"


def upgrade() -> None:
    op.create_table(
        "championship",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("name_key", "status")),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("seq", "created_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("championship_pkey")),
        sa.UniqueConstraint("name_key", name=op.f("championship_name_key_unique")),
    )
    op.create_table(
        "championship_act",
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("championship_id", "seq", "at")),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("championship_id", "seq", name=op.f("championship_act_pkey")),
    )
    op.create_index(
        "championship_act_request",
        "championship_act",
        ["championship_id", "account_id", "request_id"],
        unique=True,
        sqlite_where=sa.text("request_id IS NOT NULL"),
        postgresql_where=sa.text("request_id IS NOT NULL"),
    )
