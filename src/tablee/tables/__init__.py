"""Games being played: chairs to play from, seats, lobby, clocks, robots, history."""

from tablee.tables.admission import Way
from tablee.tables.chair import Chair
from tablee.tables.clocks import Budget, Days, Face, NoClock, PerMove, TimeControl, read_time_control
from tablee.tables.codec import Start
from tablee.tables.creating import TablePlan
from tablee.tables.errors import (
    BadAction,
    BadOptions,
    Full,
    NameTaken,
    NoChat,
    NoExport,
    NoLink,
    NoSuchChallenge,
    NoSuchGame,
    NoSuchRobot,
    NoSuchTable,
    NotAdmitted,
    NotHost,
    NotInvited,
    NotSeated,
    NotStarted,
    Over,
    Restored,
    RobotStays,
    RulesFailed,
    SeatTaken,
    Started,
    TableClosed,
    TableError,
    TooManyTables,
    void_words,
)
from tablee.tables.hall import Tables
from tablee.tables.happened import Happened, Update
from tablee.tables.history import Page, Step
from tablee.tables.info import HouseTable, SeatInfo
from tablee.tables.listening import Listener, Told
from tablee.tables.loaded import LoadedTable
from tablee.tables.lobby import LobbyFilter
from tablee.tables.matchmaking import Waiting, Wish
from tablee.tables.offers import Challenge
from tablee.tables.patch import merge_patch
from tablee.tables.robots import Pace
from tablee.tables.sending import Answer
from tablee.tables.submission import Attachment, Outcome
from tablee.tables.terms import Terms

__all__ = [
    "Answer",
    "Attachment",
    "BadAction",
    "BadOptions",
    "Budget",
    "Chair",
    "Challenge",
    "Days",
    "Face",
    "Full",
    "Happened",
    "HouseTable",
    "Listener",
    "LoadedTable",
    "LobbyFilter",
    "NameTaken",
    "NoChat",
    "NoClock",
    "NoExport",
    "NoLink",
    "NoSuchChallenge",
    "NoSuchGame",
    "NoSuchRobot",
    "NoSuchTable",
    "NotAdmitted",
    "NotHost",
    "NotInvited",
    "NotSeated",
    "NotStarted",
    "Outcome",
    "Over",
    "Pace",
    "Page",
    "PerMove",
    "Restored",
    "RobotStays",
    "RulesFailed",
    "SeatInfo",
    "SeatTaken",
    "Start",
    "Started",
    "Step",
    "TableClosed",
    "TableError",
    "TablePlan",
    "Tables",
    "Terms",
    "TimeControl",
    "Told",
    "TooManyTables",
    "Update",
    "Waiting",
    "Way",
    "Wish",
    "merge_patch",
    "read_time_control",
    "void_words",
]
