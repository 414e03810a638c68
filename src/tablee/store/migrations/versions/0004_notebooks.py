"""Letters to several roles, private notebooks, and orders that are not sealed yet."""

import sqlalchemy as sa
from alembic import op

revision = "0004_notebooks"
down_revision = "0003_said"


def upgrade() -> None:
    op.add_column("message", sa.Column("to_roles", sa.Text(), nullable=True))
    op.create_table(
        "notebook",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "account_id", name=op.f("notebook_pkey")),
    )
    op.create_table(
        "draft",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("advancement", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "account_id", "role", name=op.f("draft_pkey")),
    )
