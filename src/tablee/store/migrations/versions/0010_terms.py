"""Whether a table has a master, and whether it is anonymous, beside the other terms: queries ask for both."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0010_terms"
down_revision = "0009_sweeping"


def upgrade() -> None:
    for name in ("mastered", "anonymous"):
        op.add_column("game_table", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    table = sa.table(
        "game_table",
        sa.column("id", sa.BigInteger),
        sa.column("terms", sa.Text),
        sa.column("mastered", sa.Boolean),
        sa.column("anonymous", sa.Boolean),
    )
    connection = op.get_bind()
    for row in connection.execute(
        sa.select(table.c.id, table.c.terms).where(table.c.terms.is_not(None))
    ).all():
        terms = json.loads(row.terms)
        is_so = {name: terms.get(name) is True for name in ("mastered", "anonymous")}
        if any(is_so.values()):
            connection.execute(table.update().where(table.c.id == row.id).values(**is_so))
