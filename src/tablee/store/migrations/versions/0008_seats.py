"""What a token is good for, who has left a seat, and from when on somebody has a role."""

import sqlalchemy as sa
from alembic import op

revision = "0008_seats"
down_revision = "0007_marks"


def upgrade() -> None:
    op.add_column("session", sa.Column("scopes", sa.Text(), nullable=True))
    op.execute("UPDATE session SET scopes = 'read play chat' WHERE kind = 'bot'")
    op.create_table(
        "departure",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("resigned", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", "account_id", name=op.f("departure_pkey")),
    )
    op.create_table(
        "handover",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "role", "at", name=op.f("handover_pkey")),
    )
    with op.batch_alter_table("outcome") as outcome:
        outcome.drop_constraint("outcome_pkey", type_="primary")
        outcome.create_primary_key("outcome_pkey", ["table_id", "seat", "account_id"])
