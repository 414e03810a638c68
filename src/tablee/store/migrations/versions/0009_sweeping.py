"""When somebody last looked at a table, and when the sweep does."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0009_sweeping"
down_revision = "0008_seats"


def upgrade() -> None:
    for name in ("looked_at", "sweep_at", "warned_at"):
        op.add_column("game_table", sa.Column(name, sa.BigInteger(), nullable=True))
    op.create_index("game_table_sweep", "game_table", ["sweep_at"])
    # Nobody knows when older tables were last looked at: their time begins now, and so their people are told.
    now = time.time_ns() // 1_000_000
    table = sa.table("game_table", *(sa.column(name) for name in ("status", "door", "looked_at", "sweep_at")))
    op.execute(
        table.update()
        .where(table.c.status.in_(("open", "running", "closed")), table.c.door != "import")
        .values(looked_at=now, sweep_at=now)
    )
