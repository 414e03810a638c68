"""The first released schema."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0001_first"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("pseudo", sa.Text(), nullable=False),
        sa.Column("pseudo_key", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("email_key", sa.Text(), nullable=True),
        sa.Column("email_confirmed", sa.Boolean(), nullable=False),
        sa.Column("first_name", sa.Text(), nullable=False),
        sa.Column("family_name", sa.Text(), nullable=False),
        sa.Column("telephone", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("identified_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("banned_until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("account_pkey")),
        sa.UniqueConstraint("email_key", name=op.f("account_email_key_unique")),
        sa.UniqueConstraint("pseudo_key", name=op.f("account_pseudo_key_unique")),
    )
    op.create_table(
        "block",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "blocked_id", name=op.f("block_pkey")),
    )
    op.create_table(
        "counter",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("counter_pkey")),
    )
    op.create_table(
        "deed",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("deed_pkey")),
    )
    op.create_index("deed_account", "deed", ["account_id", "id"], unique=False)
    op.create_table(
        "event",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("event_pkey")),
    )
    op.create_index(
        "event_request",
        "event",
        ["table_id", "seat", "request_id"],
        unique=True,
        sqlite_where=sa.text("request_id IS NOT NULL"),
        postgresql_where=sa.text("request_id IS NOT NULL"),
    )
    op.create_table(
        "friendship",
        sa.Column("low_id", sa.BigInteger(), nullable=False),
        sa.Column("high_id", sa.BigInteger(), nullable=False),
        sa.Column("asked_by", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("low_id", "high_id", name=op.f("friendship_pkey")),
    )
    op.create_index("friendship_high", "friendship", ["high_id"], unique=False)
    op.create_table(
        "game_table",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("door", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=True),
        sa.Column("access", sa.Text(), nullable=False),
        sa.Column("invitation", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("time_control", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("seats_least", sa.Integer(), nullable=False),
        sa.Column("seats_most", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("game_table_pkey")),
    )
    op.create_index("game_table_due", "game_table", ["due_at"], unique=False)
    op.create_index("game_table_status", "game_table", ["status", "game"], unique=False)
    op.create_table(
        "invitation",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "account_id", name=op.f("invitation_pkey")),
    )
    op.create_table(
        "mail_code",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "purpose", name=op.f("mail_code_pkey")),
    )
    op.create_table(
        "message",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=False),
        sa.Column("to_id", sa.BigInteger(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("message_pkey")),
    )
    op.create_index("message_author", "message", ["author_id"], unique=False)
    op.create_index("message_channel", "message", ["channel", "id"], unique=False)
    op.create_index("message_to", "message", ["to_id", "id"], unique=False)
    op.create_table(
        "node",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("addresses", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("node_pkey")),
    )
    op.create_table(
        "notice",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("notice_pkey")),
    )
    op.create_index("notice_account", "notice", ["account_id", "id"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("outbox_pkey")),
    )
    op.create_index("outbox_due", "outbox", ["due_at"], unique=False)
    op.create_table(
        "outcome",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=True),
        sa.Column("rating_before", sa.Integer(), nullable=True),
        sa.Column("rating_after", sa.Integer(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("outcome_pkey")),
    )
    op.create_index("outcome_account", "outcome", ["account_id", "at"], unique=False)
    op.create_table(
        "presence",
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("node_id", "place", "account_id", "table_id", name=op.f("presence_pkey")),
    )
    op.create_index("presence_account", "presence", ["account_id"], unique=False)
    op.create_index("presence_table", "presence", ["table_id"], unique=False)
    op.create_table(
        "queue_entry",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("wish", sa.Text(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name=op.f("queue_entry_pkey")),
    )
    op.create_index("queue_game", "queue_entry", ["game", "variant", "since"], unique=False)
    op.create_table(
        "reading",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "channel", name=op.f("reading_pkey")),
    )
    op.create_table(
        "seat",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("robot", sa.Text(), nullable=True),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("seat_pkey")),
        sa.UniqueConstraint(
            "table_id", "account_id", "seat", name=op.f("seat_table_id_account_id_seat_unique")
        ),
    )
    op.create_index("seat_account", "seat", ["account_id"], unique=False)
    op.create_table(
        "session",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("family_hash", sa.Text(), nullable=True),
        sa.Column("refresh_hash", sa.Text(), nullable=True),
        sa.Column("access_hash", sa.Text(), nullable=True),
        sa.Column("access_until", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("acting_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("session_pkey")),
        sa.UniqueConstraint("access_hash", name=op.f("session_access_hash_unique")),
        sa.UniqueConstraint("family_hash", name=op.f("session_family_hash_unique")),
    )
    op.create_index("session_account", "session", ["account_id"], unique=False)
    op.create_table(
        "snapshot",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("snapshot_pkey")),
    )
    op.create_table(
        "standing",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "game", "variant", name=op.f("standing_pkey")),
    )
    op.create_index("standing_rank", "standing", ["game", "variant", "mu"], unique=False)
    counter = sa.table("counter", sa.column("name", sa.Text), sa.column("value", sa.BigInteger))
    op.bulk_insert(  # which house this is, and which of its pasts: a restore changes the latter
        counter, [{"name": name, "value": secrets.randbits(62)} for name in ("store.house", "store.epoch")]
    )
