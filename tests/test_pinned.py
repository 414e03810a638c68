"""What we take from inside uvicorn and SQLAlchemy is still there, or a sentence says what breaks without it.

Both are held to a minor version in pyproject.toml. Whoever raises one runs this first.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import uvicorn
from sqlalchemy import BigInteger, Column, MetaData, Table, bindparam, select
from sqlalchemy.sql.compiler import SQLCompiler
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tablee.store.query import POSTGRESQL, SQLITE
from tablee.wire.http import server

PROJECT = Path(__file__).parent.parent / "pyproject.toml"

OVERRIDDEN: dict[type, dict[str, str]] = {
    uvicorn.Server: {
        "startup": "the server listens by itself, beside the gate: no share of a network is kept any more",
    },
    HttpToolsProtocol: {
        "connection_made": "nobody times out who connects and asks for nothing",
        "data_received": "the head of a request may be endless",
        "on_headers_complete": "every request is cut off as one that never came to the point",
        "on_message_complete": "a second request on a connection is bounded as the body of the first",
        "on_body": "a body that nobody waits for any more is read without end",
        "on_response_complete": "a body may drip for ever after its answer",
        "timeout_keep_alive_handler": "a connection whose answer is never read is never closed",
        "pause_writing": "who does not read his answers is never cut off",
        "resume_writing": "who reads slowly is cut off though he reads",
        "connection_lost": "timers of closed connections run on",
    },
    WebSocketsSansIOProtocol: {
        "connection_made": "connections can neither be cut nor asked how far away they are",
        "data_received": "thousands of short frames hold everybody up",
        "handle_cont": "a message may have endless pieces",
        "handle_ping": "pings are answered without bound",
        "handle_pong": "pongs are taken without bound",
        "send_receive_event_to_app": "text that is no UTF-8 ends in a traceback in the log",
        "schedule_ping": "how far away somebody is, is known only after twenty seconds",
    },
}
"""The methods that ours replace, and what happens once uvicorn calls them no more."""
ASKED: dict[type, dict[str, str]] = {
    uvicorn.Server: {
        "_serve": "the house cannot run a server without leaving its signals to it",
        "servers": "the listening socket is not closed at the end",
        "started": "the house never learns that the door is open",
        "should_exit": "the door cannot be closed",
        "force_exit": "a door that does not close in time cannot be broken off",
        "server_state": "connections that do not close in time cannot be aborted",
    },
    HttpToolsProtocol: {
        "client": "a connection does not know its peer",
        "app_state": "the application cannot cut a connection",
        "send_400_response": "a head that is too long is not refused",
    },
    WebSocketsSansIOProtocol: {
        "app_state": "the application cannot cut a connection",
        "frames": "the pieces of a message are not counted",
        "close_sent": "a connection is closed twice",
        "handshake_complete": "a connection is cut before it is one",
        "conn": "no close frame can be sent past the queue",
        "queue": "the application is not told that a connection was cut",
        "curr_msg_data_type": "text that is no UTF-8 ends in a traceback in the log",
        "handle_parser_exception": "text that is no UTF-8 does not end the connection",
        "last_ping_rtt": "nobody knows how far away somebody is",
        "ping_interval": "the first ping does not come soon",
        "ping_timer": "the first ping outlives its connection",
        "send_keepalive_ping": "the first ping does not come soon",
    },
}
"""What ours ask of it beside that, and what fails where it is not there."""
OURS = {
    uvicorn.Server: server._Server,
    HttpToolsProtocol: server._Connection,
    WebSocketsSansIOProtocol: server._LiveConnection,
}


@pytest.mark.parametrize("name", ["uvicorn", "sqlalchemy"])
def test_its_version_is_held_to_a_minor_one(name: str) -> None:
    wanted = tomllib.loads(PROJECT.read_text())["project"]["dependencies"]
    [line] = [line for line in wanted if re.match(rf"{name}\b", line)]
    least, below = re.findall(r"(\d+)\.(\d+)", line)
    assert "<" in line, f"{line}: what we override may be gone in any later version"
    assert (int(below[0]), int(below[1])) == (int(least[0]), int(least[1]) + 1)
    assert version(name).split(".")[:2] == list(least), "the tests run with another version than is promised"


@pytest.mark.parametrize("theirs", OURS, ids=lambda each: each.__name__)
def test_uvicorn_still_calls_what_ours_replace_and_has_what_ours_ask_for(theirs: type) -> None:
    source = inspect.getsource(inspect.getmodule(theirs) or theirs)
    broken = [
        f"{theirs.__name__}.{name} is gone: {sentence}."
        for name, sentence in OVERRIDDEN[theirs].items()
        if not callable(getattr(theirs, name, None))
    ]
    broken += [
        f"{theirs.__name__}.{name} is gone: {sentence}."
        for name, sentence in ASKED[theirs].items()
        if not hasattr(theirs, name) and f"self.{name}" not in source
    ]
    assert broken == []
    for name in OVERRIDDEN[theirs]:
        had = list(inspect.signature(getattr(theirs, name)).parameters)
        have = list(inspect.signature(getattr(OURS[theirs], name)).parameters)
        assert had == have, f"{theirs.__name__}.{name} is called otherwise now: {OVERRIDDEN[theirs][name]}."


@pytest.mark.parametrize("theirs", OURS, ids=lambda each: each.__name__)
def test_whatever_ours_replace_is_listed_here(theirs: type) -> None:
    ours = vars(OURS[theirs])
    assert {name for name in ours if hasattr(theirs, name) and callable(ours[name])} == {*OVERRIDDEN[theirs]}


def test_the_compiler_of_sqlalchemy_still_tells_where_parameters_go() -> None:
    table = Table("cup", MetaData(), Column("id", BigInteger), Column("size", BigInteger))
    asked = select(table.c.size).where(
        table.c.size > bindparam("least"), table.c.size < 9, table.c.id.in_(bindparam("ids", expanding=True))
    )
    for dialect in (SQLITE, POSTGRESQL):
        compiled = asked.compile(dialect=dialect)
        assert isinstance(compiled, SQLCompiler)
        required = {name: bind.required for name, bind in compiled.binds.items()}
        assert required.items() >= {"least": True, "size_1": False, "ids": True}.items(), (
            "a query no longer knows which of its values are constants: statements run without them"
        )
        expanding = [bind.key for bind in compiled.post_compile_params]
        assert expanding == ["ids"], "a query no longer knows which of its parameters are lists"
        state = compiled.construct_expanded_state({"least": 1, "size_1": 9, "ids": [4, 5]})
        assert state.parameter_expansion == {"ids": ["ids_1", "ids_2"]}, "lists are given to no place"
        order = ["least", "size_1", "ids_1", "ids_2"] if dialect is POSTGRESQL else []
        assert list(state.positiontup or ()) == order, "PostgreSQL is given values in another order"
