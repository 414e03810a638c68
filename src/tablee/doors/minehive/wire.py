"""What DOIT and DONE carry between the server and its own host processes.

DOIT#match#n#user#join#password#address     let this user in
DOIT#match#n#user#clic#x#y                  open a square for him
DOIT#match#0#user#deco                      his connection is gone
DONE#match#0#state#{…}                      where the match stands, right after IDOK
DONE#match#n#facts#[…]                      an event that is committed; n is 0 if this host did not ask
DONE#match#n#in#seat                        the JOIN of this number is in
DONE#match#0#out#seat                       he has joined at another node: his connection here is closed
DONE#match#n#no#reason                      nothing has changed
DONE#match#0#void#                          the house has ended the match
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.rules.contract import Fact
from tablee.rules.mines import MinesFact, MinesState

JOIN, CLICK, LEAVE = "join", "clic", "deco"
STATE, FACTS, IN, OUT, NO, VOID = "state", "facts", "in", "out", "no", "void"

_encoder = msgspec.json.Encoder()
_facts: msgspec.json.Decoder[list[Fact]] = msgspec.json.Decoder(list[MinesFact])
_state = msgspec.json.Decoder(MinesState)


def field_of(value: Any) -> str:
    """A state or facts as JSON without the letter that separates fields."""
    return _encoder.encode(value).decode().replace("#", "\\u0023")


def facts_of(field: str) -> list[Fact]:
    return _facts.decode(field)


def state_of(field: str) -> MinesState:
    return _state.decode(field)
