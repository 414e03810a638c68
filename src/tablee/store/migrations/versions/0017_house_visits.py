"""When somebody was last in the house, and what is asked of him there."""

import sqlalchemy as sa
from alembic import op

revision = "0017_house_visits"
down_revision = "0016_webhooks"


def upgrade() -> None:
    op.create_table(
        "house_visit",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("before", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name=op.f("house_visit_pkey")),
    )
    op.create_index("invitation_account", "invitation", ["account_id"])
    op.create_index("stand_in_vote_candidate", "stand_in_vote", ["candidate_id"])
