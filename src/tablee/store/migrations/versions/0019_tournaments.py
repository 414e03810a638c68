"""Tournaments: what was done in them, and their boards."""

import sqlalchemy as sa
from alembic import op

revision = "0019_tournaments"
down_revision = "0018_ratings"


def upgrade() -> None:
    op.create_table(
        "tournament",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("name_key", "game", "status")),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("seq", "created_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("tournament_pkey")),
        sa.UniqueConstraint("name_key", name=op.f("tournament_name_key_unique")),
    )
    op.create_index("tournament_status", "tournament", ["status", "id"])
    op.create_table(
        "tournament_act",
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("tournament_id", "seq", "at")),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name=op.f("tournament_act_pkey")),
    )
    op.create_index(
        "tournament_act_request",
        "tournament_act",
        ["tournament_id", "account_id", "request_id"],
        unique=True,
        sqlite_where=sa.text("request_id IS NOT NULL"),
        postgresql_where=sa.text("request_id IS NOT NULL"),
    )
    op.create_table(
        "tournament_board",
        sa.Column("tournament_id", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("round", "attempt", "board")),
        sa.Column("seats", sa.Text(), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "tournament_id", "round", "attempt", "board", name=op.f("tournament_board_pkey")
        ),
    )
    op.create_index("tournament_board_table", "tournament_board", ["table_id"], unique=True)
