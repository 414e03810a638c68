"""How much one account may write and keep: every such bound of the house, in one place.

Sizes are characters unless said otherwise. How fast somebody may write is in `limits.py` (`writing`, `said`).
"""

from __future__ import annotations

# --- one text -------------------------------------------------------------------------------------------

MESSAGE_MOST = 1_000
"""A message of the chat, at a table or in private."""
SPOKEN_MOST = 10_000
"""A declaration or a letter of a game with roles."""
NOTES_MOST = 20_000
"""The notebook of one table."""
DRAFT_TEXT_MOST = 10_000
"""The text of orders that are being written."""
TABLE_NAME_MOST = 60
DESCRIPTION_MOST = 10_000
"""What the host says of his table."""
SETTINGS_MOST = 16_384
"""Bytes of the page's own settings of an account, as JSON."""

# --- how many, and how much in all ----------------------------------------------------------------------

MESSAGES_MOST = 50_000
"""Messages, declarations and letters that somebody has written and that are still kept."""
NOTEBOOKS_MOST = 200
NOTEBOOKS_TEXT_MOST = 500_000
DRAFTS_MOST = 200
UNSENT_MOST = 50
"""Texts by mail that wait in one anonymous game until their author has looked at them."""
TABLES_MOST = 100
"""Tables of one host that are open or being played."""
TABLES_OF_VISITOR_MOST = 20
CHALLENGES_MOST = 30
"""Open challenges that somebody has sent."""
REQUESTS_MOST = 100
"""Friends' requests that somebody has sent and that nobody has answered."""
FRIENDS_MOST = 500
BLOCKS_MOST = 1_000
BOTS_MOST = 20
"""Tokens of bots that hold."""
WEBHOOKS_MOST = 5
"""Webhooks of one table, and of the whole house."""
WEBHOOKS_OWN_MOST = 20
"""Webhooks that somebody has added."""
ANNOUNCEMENTS_MOST = 200
"""What waits to be sent to one webhook; what happens beyond is not told there."""
