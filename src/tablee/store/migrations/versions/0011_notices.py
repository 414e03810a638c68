"""Who is named in a notice, beside what it says of him: who leaves the club is found by it."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0011_notices"
down_revision = "0010_terms"


def upgrade() -> None:
    op.add_column("notice", sa.Column("names_id", sa.BigInteger()))
    op.create_index("notice_names", "notice", ["names_id"])
    notice = sa.table(
        "notice",
        sa.column("id", sa.BigInteger),
        sa.column("about", sa.Text),
        sa.column("names_id", sa.BigInteger),
    )
    account = sa.table("account", sa.column("id", sa.BigInteger), sa.column("pseudo", sa.Text))
    connection = op.get_bind()
    ids = {row.pseudo: row.id for row in connection.execute(sa.select(account.c.id, account.c.pseudo))}
    for row in connection.execute(sa.select(notice.c.id, notice.c.about)).all():
        about = json.loads(row.about)
        # By number in challenges and invitations, by name in requests of friends and deeds of administrators.
        named = about.get("from_id", about.get("by", about.get("from")))
        names_id = ids.get(named) if isinstance(named, str) else named
        if names_id is not None:
            connection.execute(notice.update().where(notice.c.id == row.id).values(names_id=names_id))
