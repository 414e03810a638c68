"""Who may be called to replace somebody, and codes that confirm an address held by the address itself."""

import sqlalchemy as sa
from alembic import op

revision = "0006_stand_in"
down_revision = "0005_challenges"

_KEY = "'email:' || lower(code.email)"


def upgrade() -> None:
    op.add_column("account", sa.Column("stand_in", sa.Boolean(), nullable=False, server_default=sa.false()))
    # A code for an address that its holder has no longer confirms nothing.
    op.execute(
        "DELETE FROM mail_code AS code WHERE code.purpose = 'confirm' AND NOT EXISTS (SELECT 1 FROM account"
        " WHERE account.id = code.account_id AND account.email_key = lower(code.email))"
    )
    # Of two codes for one address the newer one is good.
    op.execute(
        "DELETE FROM mail_code AS code WHERE code.purpose = 'confirm' AND EXISTS (SELECT 1 FROM mail_code"
        f" AS other WHERE other.account_id = 0 AND other.purpose = {_KEY}"
        " AND other.expires_at > code.expires_at)"
    )
    op.execute(
        "DELETE FROM mail_code WHERE account_id = 0 AND purpose IN"
        f" (SELECT {_KEY} FROM mail_code AS code WHERE code.purpose = 'confirm')"
    )
    op.execute(
        "UPDATE mail_code SET account_id = 0, purpose = 'email:' || lower(email) WHERE purpose = 'confirm'"
    )
