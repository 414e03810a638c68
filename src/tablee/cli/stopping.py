"""How a command ends early."""

from __future__ import annotations


class Stop(Exception):
    """The end of a command for a reason that its user can do something about; `code` is the exit status."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code
