"""The one definition of what lasts. Read it as documentation; migrations bring older databases here."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)

# Constraints have names of their own, so that a migration can speak of them and an error can be read.
metadata = MetaData(
    naming_convention={"pk": "%(table_name)s_pkey", "uq": "%(table_name)s_%(column_0_N_name)s_unique"}
)

# Instants are milliseconds since 1970 in UTC. JSON is kept as text that a person can read. Ids come from
# `counter`, not from the database's own sequences, so that one transaction can write rows that refer to
# each other on either database.

counter = Table(
    "counter",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

node = Table(  # every running server process, with its heartbeat
    "node",
    metadata,
    Column("id", Text, primary_key=True),
    Column("started_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("addresses", Text, nullable=False),
    Column("ended_at", BigInteger),  # None while it runs, and for ever if it was killed
)

presence = Table(  # who is connected where; rows of a dead node are reaped by the others
    "presence",
    metadata,
    Column("node_id", Text, primary_key=True),
    Column("place", Text, primary_key=True),  # 'table', 'web', 'minehive', 'pawnhub'
    Column("account_id", BigInteger, primary_key=True),
    Column("table_id", BigInteger, primary_key=True),  # 0 where the place is no table
    Column("seat", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("looks", Boolean, nullable=False, server_default=true()),  # False: the page is open, but not seen
    Index("presence_account", "account_id"),
    Index("presence_table", "table_id"),
)

# --- people ---------------------------------------------------------------------------------------------

# Why: docs/decisions.md#visitors-and-robots-are-accounts
account = Table(
    "account",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),  # 'member', 'visitor', 'robot'
    Column("role", Text, nullable=False),  # 'player', 'administrator', 'super'
    Column("pseudo", Text, nullable=False),
    Column("pseudo_key", Text, nullable=False, unique=True),  # NFC, casefolded
    Column("password_hash", Text),
    Column("email", Text),
    Column("email_key", Text, unique=True),  # lower case
    Column("email_confirmed", Boolean, nullable=False),
    Column("email_refused", Text),  # why its mail server takes no letters for this address, for good
    Column("first_name", Text, nullable=False),
    Column("family_name", Text, nullable=False),
    Column("telephone", Text, nullable=False),
    Column("country", Text, nullable=False),  # ISO alpha-3, or ''
    Column("time_zone", Text, nullable=False),  # 'UTC + 1', or ''
    Column("stand_in", Boolean, nullable=False, server_default=false()),  # may be called to replace somebody
    Column("language", Text, nullable=False),  # 'fr', 'en'
    Column("settings", Text, nullable=False),  # JSON of the page's own
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("identified_at", BigInteger),  # last successful identification
    Column("deleted_at", BigInteger),
    Column("banned_until", BigInteger),
)

session = Table(
    "session",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("account_id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),  # 'browser', 'bot', 'service', 'acting' (an administrator as him)
    Column("label", Text, nullable=False),
    Column("family_hash", Text, unique=True),  # SHA-256 of the part of the long-lived token that stays
    Column("refresh_hash", Text),  # SHA-256 of its part that changes with every use
    Column("access_hash", Text, unique=True),  # SHA-256 of the short-lived token
    Column("access_until", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
    Column("address", Text, nullable=False),
    Column("acting_id", BigInteger),  # the administrator behind an 'acting' session
    Column("scopes", Text),  # of a 'bot': 'read play chat'; None: all that its kind may
    Index("session_account", "account_id"),
)

mail_code = Table(
    "mail_code",
    metadata,
    Column("account_id", BigInteger, primary_key=True),  # 0 where an address itself is the holder
    Column("purpose", Text, primary_key=True),  # 'recover', or 'email:' with the key of an address
    Column("email", Text, nullable=False),
    Column("code_hash", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
)

friendship = Table(  # one row a pair, smaller id first, so that two who ask each other at once meet in it
    "friendship",
    metadata,
    Column("low_id", BigInteger, primary_key=True),
    Column("high_id", BigInteger, primary_key=True),
    Column("asked_by", BigInteger),  # None once they are friends
    Column("at", BigInteger, nullable=False),
    Index("friendship_high", "high_id"),
)

block = Table(
    "block",
    metadata,
    Column("account_id", BigInteger, primary_key=True),
    Column("blocked_id", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),
)

message = Table(
    "message",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    # 'global', 'table:12', 'private:3:8' (smaller id first), 'press:12' and 'letters:12' (by role)
    Column("channel", Text, nullable=False),
    Column("author_id", BigInteger, nullable=False),
    Column("to_id", BigInteger),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("deleted_at", BigInteger),
    Column("author_role", Integer),  # in press and letters: 0 is the master
    Column("to_role", Integer),  # in letters
    Column("to_roles", Text),  # JSON list of all addressees, where the same letter went to several
    Index("message_channel", "channel", "id"),
    Index("message_to", "to_id", "id"),
    Index("message_author", "author_id"),
)

said = Table(  # which requests to say something were obeyed, for a day: none of them is obeyed twice
    "said",
    metadata,
    Column("author_id", BigInteger, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("request_id", Text, primary_key=True),
    Column("message_id", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("said_at", "at"),
)

reading = Table(  # up to where somebody has read a channel
    "reading",
    metadata,
    Column("account_id", BigInteger, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("message_id", BigInteger, nullable=False),
)

standing = Table(  # rating and counts of one person in one variant
    "standing",
    metadata,
    Column("account_id", BigInteger, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("variant", Text, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),  # raised by every change: the compare-and-set of ratings
    Column("rated", Integer, nullable=False, server_default="0"),  # of those played, the ones that were rated
    Index("standing_rank", "game", "variant", "mu"),
)

outcome = Table(  # what a finished table meant to each of its players, those who left a seat to others too
    "outcome",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("account_id", BigInteger, primary_key=True),
    Column("rank", Integer, nullable=False),
    Column("score", BigInteger),
    Column("rating_before", Integer),  # None, as the three others, where the game was not rated for him
    Column("rating_after", Integer),
    Column("at", BigInteger, nullable=False),
    Column("side", Text),  # what the seat played, where that is not the seat's number: 'white', 'black'
    Column("margin_before", Integer),  # by how much the rating might be wrong, either way
    Column("margin_after", Integer),
    Column("unrated", Text),  # why not: 'chosen', 'anonymous', 'stopped', 'members', 'not_member'
    Index("outcome_account", "account_id", "at"),
)

notice = Table(
    "notice",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("account_id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("about", Text, nullable=False),  # JSON
    Column("at", BigInteger, nullable=False),
    Column("read_at", BigInteger),
    Column("names_id", BigInteger),  # the account whose name it says
    Index("notice_account", "account_id", "id"),
    Index("notice_names", "names_id"),
)

deed = Table(  # the log of who did what
    "deed",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("actor_id", BigInteger),  # None: the house itself
    Column("account_id", BigInteger),  # whom it concerned
    Column("what", Text, nullable=False),
    Column("about", Text, nullable=False),  # JSON
    Column("address", Text, nullable=False),
    Index("deed_account", "account_id", "id"),
)

call = (
    Table(  # what somebody is to be told outside of the page: written with its cause, worded when it is due
        "call",
        metadata,
        Column("account_id", BigInteger, primary_key=True),
        Column("table_id", BigInteger, primary_key=True),  # 0 where it is about no table
        Column("kind", Text, primary_key=True),  # of the catalogue: 'your_turn'
        Column("what", Text, primary_key=True),  # which of its kind: the same thing is told once
        Column("about", Text, nullable=False),  # JSON
        Column("at", BigInteger, nullable=False),  # when it happens, or will
        Column("mail_at", BigInteger),  # when a letter is due; None: none is, or it is written
        Column("mailed_at", BigInteger),  # when it went into a letter
        Column("push_at", BigInteger),  # when a push message is due; None: none is, or it is on its way
        Column("pushed_at", BigInteger),  # when it went into a push message
        Column("names_id", BigInteger),  # whom it names, who may leave the club meanwhile
        Index("call_mail", "mail_at"),
        Index("call_push", "push_at"),
    )
)

wish = Table(  # what somebody wants to be told, and how
    "wish",
    metadata,
    Column("account_id", BigInteger, primary_key=True),
    Column("table_id", BigInteger, primary_key=True),  # 0: everywhere, unless the table's own row says else
    Column("content", Text, nullable=False),  # JSON of club.calling.Wishes
    Column("stop_key", Text, unique=True),  # of a link in older letters that ends those about the table
)

device = Table(  # a browser that takes push messages, for as long as its session lasts
    "device",
    metadata,
    Column("session_id", BigInteger, primary_key=True, autoincrement=False),
    Column("account_id", BigInteger, nullable=False),
    Column("endpoint", Text, nullable=False, unique=True),  # where its push service takes messages for it
    Column("p256dh", Text, nullable=False),  # its public key, base64url
    Column("auth", Text, nullable=False),  # its secret, base64url
    Column("made_at", BigInteger, nullable=False),
    Column("reached_at", BigInteger),  # when its push service last took a message
    Column("failed_at", BigInteger),  # since when it takes none
    Column("error", Text),  # why not
    Column("refused", Boolean, nullable=False),  # for good: nothing more is sent, until it asks anew
    Index("device_account", "account_id"),
)

outbox = Table(  # mail and other errands, written in the transaction that causes them
    "outbox",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),  # 'mail', 'push'
    Column("account_id", BigInteger),
    Column("payload", Text, nullable=False),  # JSON
    Column("created_at", BigInteger, nullable=False),
    Column("due_at", BigInteger),  # None once done or given up
    Column("tries", Integer, nullable=False),
    Column("done_at", BigInteger),
    Column("error", Text),
    Index("outbox_due", "due_at"),
)

webhook = Table(  # an address elsewhere that is told what happens at a table, or at every open one
    "webhook",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("table_id", BigInteger, nullable=False),  # 0: the whole house
    Column("owner_id", BigInteger, nullable=False),  # who added it
    Column("kind", Text, nullable=False),  # 'generic', 'discord'
    Column("url", Text, nullable=False),
    Column("secret", Text, nullable=False),  # by which a receiver knows what is signed
    Column("language", Text, nullable=False),  # 'fr', 'en'
    Column("events", Text, nullable=False),  # 'begun moved over'
    Column("added_at", BigInteger, nullable=False),
    Column("due_at", BigInteger, nullable=False),  # from when on a node may take it; 0: at any time
    Column("tries", Integer, nullable=False),  # in vain, since something was last taken there
    Column("error", Text),  # what was wrong at the last of them
    Column("sent_at", BigInteger),  # when something was last taken there
    Column("paused_at", BigInteger),  # since when nothing is sent; None: it is
    Index("webhook_table", "table_id"),
    Index("webhook_owner", "owner_id"),
)

announcement = Table(  # what a webhook is still to be told, written in the transaction of its cause
    "announcement",
    metadata,
    Column("webhook_id", BigInteger, primary_key=True),
    Column("table_id", BigInteger, primary_key=True),
    Column("seq", BigInteger, primary_key=True),  # of the event; it never leaves the house
    Column("at", BigInteger, nullable=False),
    Column("content", Text, nullable=False),  # JSON of club.webhooks.Announcement
    Index("announcement_table", "table_id"),
    Index("announcement_at", "at"),
)

follow_key = Table(  # by which a calendar or a feed reader follows the games of somebody, one each
    "follow_key",
    metadata,
    Column("account_id", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", Text, nullable=False, unique=True),  # SHA-256
    Column("made_at", BigInteger, nullable=False),
)

# --- tables ---------------------------------------------------------------------------------------------

game_table = Table(
    "game_table",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("door", Text, nullable=False),  # where it was made: 'web', 'minehive'…
    Column("name", Text, nullable=False),
    Column("host_id", BigInteger),  # who made it
    Column("access", Text, nullable=False),  # 'open', 'private' (by link), 'invited'
    Column("invitation", Text, nullable=False),  # the unguessable part of a private table's link
    Column("options", Text, nullable=False),  # JSON of the game's options
    Column("time_control", Text, nullable=False),  # JSON: none, move, budget, days
    Column("rated", Boolean, nullable=False),
    Column("seats_least", Integer, nullable=False),
    Column("seats_most", Integer, nullable=False),
    Column("status", Text, nullable=False),  # 'open', 'running', 'over', 'closed' (never started)
    Column("seq", BigInteger, nullable=False),  # of the last event; 0 before the first
    Column("due_at", BigInteger),  # at the latest when somebody must look for alarms; may be too early
    Column("created_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("result", Text),  # JSON of contract.Result
    Column("terms", Text),  # JSON of tables.Terms; None where nothing is asked
    Column("name_key", Text),  # where no other table of its kind may have the same name
    Column("looked_at", BigInteger),  # when somebody last looked at it, roughly; None: since it was made
    Column("sweep_at", BigInteger),  # when the sweep looks at it next; None: nothing is ever swept there
    Column("warned_at", BigInteger),  # when its people were last told that it will be swept
    Column("mastered", Boolean, nullable=False, server_default=false()),  # as the terms have it, for queries
    Column("anonymous", Boolean, nullable=False, server_default=false()),  # likewise
    Index("game_table_due", "due_at"),
    Index("game_table_status", "status", "game"),
    Index("game_table_name_key", "name_key", unique=True),
    Index("game_table_host", "host_id"),
    Index("game_table_sweep", "sweep_at"),
)

seat = Table(  # who sits where now; the log knows who sat there before
    "seat",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("account_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("robot", Text),  # strength, where a robot sits here
    Column("joined_at", BigInteger, nullable=False),
    Column("left_at", BigInteger),
    Column("seen_at", BigInteger),  # when its player last went away from the table; None: never was there
    UniqueConstraint("table_id", "account_id", "seat"),
    Index("seat_account", "account_id"),
)

departure = Table(  # who has left a seat of a game that goes on, or was taken out of it, or was replaced
    "departure",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("account_id", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),  # once somebody else sits there, since then
    Column("resigned", Boolean, nullable=False),  # he went himself; otherwise the master took him out
)

handover = Table(  # who has a role of a game from when on, once it has changed hands
    "handover",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("role", Integer, primary_key=True),
    Column("at", BigInteger, primary_key=True),  # 0: from the beginning
    Column("account_id", BigInteger, nullable=False),
)

invitation = Table(
    "invitation",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("account_id", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("invitation_account", "account_id"),
)

event = Table(
    "event",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("seq", BigInteger, primary_key=True),  # 1, 2, 3… without gaps
    Column("at", BigInteger, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("action", Text, nullable=False),  # JSON
    Column("facts", Text, nullable=False),  # JSON list
    Column("request_id", Text),
    Index(
        "event_request",
        "table_id",
        "seat",
        "request_id",
        unique=True,
        sqlite_where=text("request_id IS NOT NULL"),
        postgresql_where=text("request_id IS NOT NULL"),
    ),
)

snapshot = Table(  # the last one of each table
    "snapshot",
    metadata,
    Column("table_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("content", Text, nullable=False),  # JSON: state, player clocks, versions of the seats
)

mark = Table(  # what a seat has marked for itself alone, beside the log
    "mark",
    metadata,
    Column("table_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),  # JSON, as the game writes it
)

queue_entry = Table(  # who waits for an opponent
    "queue_entry",
    metadata,
    Column("account_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("wish", Text, nullable=False),  # JSON: options, time control, number of players
    Column("rating", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("node_id", Text, nullable=False),
    Index("queue_game", "game", "variant", "since"),
)

challenge = Table(  # an offer to play: to a friend, or again to the opponent of a finished table
    "challenge",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("slot", Text, unique=True),  # of two with the same one only one is open; None once it is over
    Column("from_id", BigInteger, nullable=False),
    Column("to_id", BigInteger, nullable=False),
    Column("rematch_of", BigInteger),  # the finished table
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("time_control", Text, nullable=False),  # JSON
    Column("rated", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("status", Text, nullable=False),  # 'open', 'accepted', 'refused', 'cancelled', 'expired'
    Column("ended_at", BigInteger),
    Column("table_id", BigInteger),  # what came of it
    Index("challenge_from", "from_id"),
    Index("challenge_to", "to_id"),
    Index("challenge_expires", "status", "expires_at"),
)

# --- tournaments ----------------------------------------------------------------------------------------

tournament = Table(
    "tournament",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name_key", Text, nullable=False, unique=True),  # its name, folded: no other has it
    Column("game", Text, nullable=False),
    Column("status", Text, nullable=False),  # 'draft', 'announced', 'running', 'over', 'cancelled'
    Column("seq", BigInteger, nullable=False),  # of the last act
    Column("created_at", BigInteger, nullable=False),
    Column("due_at", BigInteger),  # when somebody must look whether something is to be done; None: never
    Index("tournament_status", "status", "id"),
    Index("tournament_due", "due_at"),
)

tournament_act = Table(  # what was done, in order; all that is shown follows from this and from the boards
    "tournament_act",
    metadata,
    Column("tournament_id", BigInteger, primary_key=True),
    Column("seq", BigInteger, primary_key=True),  # 1, 2, 3… without gaps
    Column("at", BigInteger, nullable=False),
    Column("account_id", BigInteger),  # who did it; None: the house
    Column("facts", Text, nullable=False),  # JSON list
    Column("request_id", Text),
    Index(
        "tournament_act_request",
        "tournament_id",
        "account_id",
        "request_id",
        unique=True,
        sqlite_where=text("request_id IS NOT NULL"),
        postgresql_where=text("request_id IS NOT NULL"),
    ),
)

tournament_board = Table(  # a board of a round that was published
    "tournament_board",
    metadata,
    Column("tournament_id", BigInteger, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("attempt", Integer, primary_key=True),  # a round that is undone is published anew
    Column("board", Integer, primary_key=True),  # from 1
    Column("seats", Text, nullable=False),  # JSON list of accounts, in the order of the seats
    Column("table_id", BigInteger),  # where it is played; None: in the room
    Column("result", Text),  # JSON of tournaments.boards.BoardResult; None while it goes on
    Column("version", Integer, nullable=False),  # how often the result was set
    Index("tournament_board_table", "table_id", unique=True),
)

championship = Table(  # several tournaments with one standings
    "championship",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("status", Text, nullable=False),  # 'open', 'over'
    Column("seq", BigInteger, nullable=False),  # of the last act
    Column("created_at", BigInteger, nullable=False),
)

championship_act = Table(  # what was done in it, in order
    "championship_act",
    metadata,
    Column("championship_id", BigInteger, primary_key=True),
    Column("seq", BigInteger, primary_key=True),  # 1, 2, 3… without gaps
    Column("at", BigInteger, nullable=False),
    Column("account_id", BigInteger),
    Column("facts", Text, nullable=False),  # JSON list
    Column("request_id", Text),
    Index(
        "championship_act_request",
        "championship_id",
        "account_id",
        "request_id",
        unique=True,
        sqlite_where=text("request_id IS NOT NULL"),
        postgresql_where=text("request_id IS NOT NULL"),
    ),
)

# --- games with a master --------------------------------------------------------------------------------

visit = Table(  # when somebody last looked at a game in a role
    "visit",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("account_id", BigInteger, primary_key=True),
    Column("role", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
)

house_visit = Table(  # when somebody was last in the house, and before he came this time
    "house_visit",
    metadata,
    Column("account_id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),  # when his page was last seen, to a few minutes
    Column("before", BigInteger, nullable=False),  # when his visit before this one ended
)

notebook = Table(  # what somebody notes about a game, for himself alone
    "notebook",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("account_id", BigInteger, primary_key=True),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

draft = Table(  # orders that somebody is still writing, for one phase
    "draft",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("account_id", BigInteger, primary_key=True),
    Column("role", Integer, primary_key=True),
    Column("advancement", Integer, nullable=False),
    Column("orders", Text, nullable=False),  # JSON
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

reply_token = Table(  # by which a letter is answered: for one person, one role, one phase of a game
    "reply_token",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("account_id", BigInteger, nullable=False),
    Column("table_id", BigInteger, nullable=False),
    Column("role", Integer, nullable=False),  # 0: all roles of his, or simply his seat
    Column("phase", BigInteger, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),  # when it was last used
    Column("ended_at", BigInteger),  # when it was used after its phase
    Index("reply_token_account", "account_id"),
    Index("reply_token_made", "made_at"),
)

mail_taken = Table(  # letters and press that came by mail, for a while: what is delivered twice counts once
    "mail_taken",
    metadata,
    Column("key", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("mail_taken_at", "at"),
)

unsent = Table(  # what somebody has to look at before it is said in his name
    "unsent",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("table_id", BigInteger, nullable=False),
    Column("account_id", BigInteger, nullable=False),
    Column("role", Integer, nullable=False),
    Column("to_roles", Text, nullable=False),  # JSON list; empty for a declaration
    Column("text", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Index("unsent_account", "account_id"),
    Index("unsent_made", "made_at"),
)

lease = Table(  # what one node does for all, for as long as it says so
    "lease",
    metadata,
    Column("name", Text, primary_key=True),
    Column("node_id", Text, nullable=False),
    Column("until", BigInteger, nullable=False),
)

conduct = Table(  # how somebody kept deadlines, week by week (weeks since 1970-01-05)
    "conduct",
    metadata,
    Column("account_id", BigInteger, primary_key=True),
    Column("week", Integer, primary_key=True),
    Column("owed", Integer, nullable=False),  # phases in which orders were owed
    Column("late", Integer, nullable=False),  # of them, those whose orders were not there at the deadline
    Column("dropped", Integer, nullable=False),  # games given up, or in which he was replaced
)

absence = Table(  # days on which somebody is away, and no deadline of his should fall
    "absence",
    metadata,
    Column("account_id", BigInteger, primary_key=True),
    Column("first", Integer, primary_key=True),  # days as datetime.date counts them, in the club's zone
    Column("last", Integer, nullable=False),
    Column("used", Boolean, nullable=False, server_default=false()),  # whether it has moved a deadline
)

stand_in_vote = Table(  # whom the players of a table without a master want in the seat of who is always late
    "stand_in_vote",
    metadata,
    Column("table_id", BigInteger, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("voter_id", BigInteger, primary_key=True),
    Column("candidate_id", BigInteger, nullable=False),
    Index("stand_in_vote_candidate", "candidate_id"),
)

tally = Table(  # how far a table's log has gone into `conduct`
    "tally",
    metadata,
    Column("table_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
)

house_secret = Table(  # keys that all nodes share
    "house_secret",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
