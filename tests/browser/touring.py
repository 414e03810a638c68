"""Tournaments as a club has them: made, entered and played over the API, for what a browser then looks at."""

from __future__ import annotations

from typing import Any

from tests.browser.furnishing import Somebody

SWISS = {"game": "chess", "variant": "classic", "format": "swiss", "rounds": 5, "in_room": True}


class Played:
    """A tournament with its organiser and entrants."""

    def __init__(self, organiser: Somebody, entrants: list[Somebody], **plan: Any) -> None:
        self.organiser, self.entrants = organiser, entrants
        self.id: int = organiser.post("/tournaments", **{**SWISS, **plan})["id"]
        self.path = f"/tournaments/{self.id}"
        organiser.post(f"{self.path}/announce")
        for entrant in entrants:
            entrant.post(f"{self.path}/entries", code=plan.get("code", ""))

    def begin(self) -> None:
        self.organiser.post(f"{self.path}/begin")

    def publish(self, number: int) -> Any:
        """Pair and publish a round; its boards."""
        draft = self.organiser.post(f"{self.path}/rounds/{number}/pair")
        found = self.organiser.post(f"{self.path}/rounds/{number}/publish", version=draft["version"])
        return found["rounds"][-1]["boards"]

    def end_board(self, board: Any, **result: Any) -> None:
        at = f"{self.path}/rounds/{board['round']}/boards/{board['board']}/result"
        self.organiser.post(at, **result)

    def play(self, number: int, left: int = 0) -> None:
        """A round in the room, but for so many boards: the older account wins at most, some are drawn."""
        boards = self.publish(number)
        for board in boards[: len(boards) - left]:
            one, other = board["seats"]
            marks = ["=", "="] if (one + other) % 3 == 0 else ["1", "0"] if one < other else ["0", "1"]
            self.end_board(board, marks=marks)
