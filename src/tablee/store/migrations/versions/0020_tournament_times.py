"""When a tournament is looked at next: rounds that begin, people who are not there."""

import sqlalchemy as sa
from alembic import op

revision = "0020_tournament_times"
down_revision = "0019_tournaments"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("due_at", sa.BigInteger(), nullable=True))
    op.create_index("tournament_due", "tournament", ["due_at"])
