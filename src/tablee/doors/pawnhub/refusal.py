"""How the Pawn Hub itself says no."""

from __future__ import annotations


class Refusal(Exception):
    """The door says no: a code for programs and a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(code)
        self.code = code
        self.sentence = sentence
