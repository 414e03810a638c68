"""What DOIT and DONE carry between the server and its own host processes.

DOIT#match#n#user#join#password#address     let this user in
DOIT#match#n#user#clic#x#y                  open a square for him
DOIT#match#0#user#deco                      his connection is gone
DONE#match#0#view#{…}                       where the match stands as SPECTATOR sees it, right after IDOK
DONE#match#0#facts#[…]                      what is committed since, as SPECTATOR is told of it
DONE#match#0#played#n#n…                    the clicks of these numbers are in what was told
DONE#match#n#in#seat                        the JOIN of this number is in
DONE#match#0#out#seat                       he has joined at another node: his connection here is closed
DONE#match#n#no#reason                      nothing came of it; to a click that misses this is told alone
DONE#match#0#void#                          the house has ended the match
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.rules.contract import Fact
from tablee.rules.mines.views import MinesTold, MinesView

JOIN, CLICK, LEAVE = "join", "clic", "deco"
VIEW, FACTS, PLAYED, IN, OUT, NO, VOID = "view", "facts", "played", "in", "out", "no", "void"

_encoder = msgspec.json.Encoder()
_facts: msgspec.json.Decoder[list[Fact]] = msgspec.json.Decoder(list[MinesTold])
_view = msgspec.json.Decoder(MinesView)


def field_of(value: Any) -> str:
    """A view or facts as JSON without the letter that separates fields."""
    return _encoder.encode(value).decode().replace("#", "\\u0023")


def facts_of(field: str) -> list[Fact]:
    return _facts.decode(field)


def view_of(field: str) -> MinesView:
    return _view.decode(field)
