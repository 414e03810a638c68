"""What people are told outside of the page: calls, and what each wishes; subscriptions become wishes."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0012_calling"
down_revision = "0011_notices"

KINDS = {
    "declaration": "declaration",
    "message": "letter",
    "adjudication": "resolved",
    "deadline": "deadline_near",
}


def upgrade() -> None:
    key = [sa.Column(name, sa.BigInteger(), primary_key=True) for name in ("account_id", "table_id")]
    op.create_table(
        "call",
        *key,
        sa.Column("kind", sa.Text(), primary_key=True),
        sa.Column("what", sa.Text(), primary_key=True),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in ("mail_at", "mailed_at", "names_id")),
        sa.PrimaryKeyConstraint("account_id", "table_id", "kind", "what", name="call_pkey"),
    )
    op.create_index("call_mail", "call", ["mail_at"])
    wish = op.create_table(
        "wish",
        *(sa.Column(name, sa.BigInteger(), primary_key=True) for name in ("account_id", "table_id")),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("stop_key", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "table_id", name="wish_pkey"),
        sa.UniqueConstraint("stop_key", name="wish_stop_key_unique"),
    )
    subscription = sa.table(
        "subscription", *(sa.column(n) for n in ("table_id", "account_id", "events", "digest", "stop_key"))
    )
    connection = op.get_bind()
    for row in connection.execute(sa.select(subscription)).all():
        events = json.loads(row.events)
        mail = "digest" if row.digest else "now"
        content: dict[str, object] = {
            "kinds": {kind: {"mail": mail if event in events else "off"} for event, kind in KINDS.items()}
        }
        if row.digest:
            content["hours"] = row.digest
        connection.execute(
            wish.insert().values(
                account_id=row.account_id,
                table_id=row.table_id,
                content=json.dumps(content),
                stop_key=row.stop_key,
            )
        )
    op.drop_table("subscription")
    op.add_column("seat", sa.Column("seen_at", sa.BigInteger(), nullable=True))
    op.add_column("account", sa.Column("email_refused", sa.Text(), nullable=True))
    op.add_column("presence", sa.Column("looks", sa.Boolean(), nullable=False, server_default=sa.true()))
