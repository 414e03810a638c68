"""What a table answers when it says no. A move that the rules refuse is `Illegal`, from the rules."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from tablee.club.errors import ClubError
from tablee.rules.words import load_sentences


class TableError(ClubError):
    """A refusal of the table; `kind`, `code`, `parts` and `sentence` as everywhere in the club."""

    default: ClassVar[str] = "table_refused"

    def __init__(self, code: str | None = None, **parts: Any) -> None:
        super().__init__(code or self.default, **parts)

    def sentence(self, language: str = "fr") -> str:
        return words(language)[self.code].format(**self.parts)


class NoSuchTable(TableError):
    """There is no table of this number, or not for the one who asks."""

    kind = "not_found"
    default = "no_such_table"


class NoSuchGame(TableError):
    """The house does not have this game or variant."""

    kind = "not_found"
    default = "no_such_game"


class NotSeated(TableError):
    """Who asks does not sit at this table, or not in this seat."""

    default = "not_seated"


class NotInvited(TableError):
    """The table is private or for invited people."""

    default = "not_invited"


class TooManyTables(TableError):
    """Who asks has as many tables as one host may have at once."""

    default = "too_many_tables"


class NoLink(TableError):
    """Only a private table has a link that admits people."""

    default = "no_link"


class NotHost(TableError):
    """Only who made the table may do this."""

    default = "not_host"


class Full(TableError):
    """Every seat is taken."""

    kind = "taken"
    default = "full"


class SeatTaken(TableError):
    """Somebody sits there."""

    kind = "taken"
    default = "seat_taken"


class RobotStays(TableError):
    """In this game nobody takes a seat, and what is known there, from a robot that plays on."""

    default = "robot_stays"


class NotStarted(TableError):
    """The game has not begun."""

    default = "not_started"


class Started(TableError):
    """The game has begun already."""

    default = "started"


class Over(TableError):
    """The game is over."""

    default = "over"


class BadOptions(TableError):
    """The options do not fit the game."""

    kind = "invalid"
    default = "bad_options"


class BadAction(TableError):
    """What was sent is no action of this game."""

    kind = "invalid"
    default = "bad_action"


class NameTaken(TableError):
    """Another table of this kind has the name."""

    kind = "taken"
    default = "name_taken"


class NotAdmitted(TableError):
    """The table asks for a code, or for more than this player has shown so far."""

    default = "wrong_access_code"


class NoChat(TableError):
    """One speaks in one's role at this table, or not at all."""

    default = "no_chat_here"


class NoExport(TableError):
    """This game has no such file, or not for the one who asks, or not yet."""

    default = "no_export"


class NoAnalysis(TableError):
    """Games of this kind are not analysed, or only when they are over."""

    default = "no_analysis"


class NotResumed(TableError):
    """This game cannot go on at a table of its own, or not from there."""

    default = "not_resumed"


class SeatNotThere(TableError):
    """Nobody ever sat in this seat."""

    default = "seat_not_there"


class NoSuchChallenge(TableError):
    """There is no such challenge, it is not for the one who asks, or it is over."""

    kind = "not_found"
    default = "no_such_challenge"


class NoSuchRobot(TableError):
    """The game has no robot of this strength."""

    kind = "not_found"
    default = "no_such_robot"


class RulesFailed(TableError):
    """A fault in the game's own code: the action changed nothing."""

    kind = "broken"
    default = "rules_failed"


class TableClosed(TableError):
    """This node has put the table away; `Tables.open` brings it back."""

    kind = "unavailable"
    default = "table_put_away"


class Restored(TableError):
    """The database was replaced by a backup since who asks sat down: what he saw may never have been."""

    kind = "taken"
    default = "restored"


@cache
def words(language: str) -> dict[str, str]:
    """Every sentence of the tables in one language; French where the language is not one of ours."""
    return load_sentences("tablee.tables", language)


@cache
def void_words(language: str) -> dict[str, str]:
    """Why the house has ended a game, as the words of any game would say it: `result.deserted`."""
    spoken = load_sentences("tablee.tables", language, "void.toml")
    return {f"result.{reason}": said for reason, said in spoken.items()}
