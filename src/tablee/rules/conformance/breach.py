"""How the kit says that a game breaks a promise."""

from __future__ import annotations

from typing import Any, NoReturn

import msgspec

from tablee.rules.contract import Json


class Breach(AssertionError):
    """A game does not keep the contract: `check` names the promise, the text says how."""

    def __init__(self, check: str, sentence: str) -> None:
        super().__init__(f"{check}: {sentence}")
        self.check = check
        self.sentence = sentence


def breach(check: str, sentence: str) -> NoReturn:
    raise Breach(check, sentence)


def encoded(value: Any) -> bytes:
    """The bytes that would be sent or kept."""
    return msgspec.json.encode(value)


def plain(value: Any) -> Json:
    """The JSON that would be sent or kept, read again."""
    return msgspec.json.decode(msgspec.json.encode(value))
