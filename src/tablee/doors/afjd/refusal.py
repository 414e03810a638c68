"""How the services say no: a status and one English sentence."""

from __future__ import annotations

from typing import Any

from tablee.club import ClubError


class Refusal(Exception):
    """The request is refused; `more` stands beside the sentence in the answer."""

    def __init__(self, status: int, sentence: str, **more: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.more = more


def said(error: ClubError) -> str:
    """A refusal of the club in English, with the field that it is about."""
    sentence = error.sentence("en")
    field = error.parts.get("field")
    return f"{field}: {sentence}" if field else sentence
