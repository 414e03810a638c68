"""The client's sentences in French and English, and how what happens is told in them."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.terminal.catalogue import Catalogue
from tablee.terminal.minehive.connection import Note
from tablee.terminal.minehive.messages import (
    Arrived,
    Away,
    Back,
    FinalScore,
    Gone,
    Late,
    Message,
    NoNewMatch,
    NotUnderstood,
    OutOfRange,
    ServerFull,
)
from tablee.terminal.minehive.model import MINE, Match, Opening


class Words(Catalogue):
    """One language of the catalogue."""

    def __init__(self, language: str) -> None:
        super().__init__("tablee.terminal.minehive", language)

    def content(self, content: int | None) -> str:
        """A square's content in a word."""
        match content:
            case None:
                return self("content-hidden")
            case 0:
                return self("content-empty")
            case -1:
                return self("content-mine")
        return str(content)

    def opening(self, opening: Opening) -> str:
        """An opening in a sentence."""
        square = str(opening.squares[0])
        if MINE in opening.contents:
            square = str(opening.squares[opening.contents.index(MINE)])
            return self("opened-mine", name=opening.name, square=square, points=opening.points)
        if len(opening.squares) == 1:
            content = self.content(opening.contents[0])
            return self(
                "opened-one", name=opening.name, square=square, content=content, points=opening.points
            )
        n = len(opening.squares)
        return self("opened-many", name=opening.name, n=n, square=square, points=opening.points)

    def event(self, message: Message) -> str | None:
        """Anything else that happened in a sentence, or None when there is nothing to say about it."""
        match message:
            case Note(key=key, parts=parts):
                return self(key, **parts)
            case Arrived(score=score):
                return self("arrived", name=score.name)
            case Gone(name=name):
                return self("gone", name=name)
            case Away(name=name):
                return self("away", name=name)
            case Back(name=name):
                return self("back", name=name)
            case Late():
                return self("late")
            case OutOfRange(x=x, y=y):
                return self("out-of-range", x=x, y=y)
            case ServerFull():
                return self("full")
            case NoNewMatch(reason=reason):
                return self("no-new-match", reason=reason)
            case NotUnderstood():
                return self("not-understood")
        return None

    def honours(self, result: FinalScore) -> str:
        """A player's honours in words; one that is not in the catalogue is shown as it came."""
        return ", ".join(self.texts.get(f"honour-{word}", word) for word in result.honours)

    def results(self, match: Match) -> Sequence[str]:
        """The end of a match, a line for each player, best first."""
        final = sorted(match.results, key=lambda r: -r.score.points)
        return [
            self(
                "result",
                rank=rank,
                name=r.score.name,
                points=r.score.points,
                total=r.score.total,
                safe=r.score.safe,
                mines=r.score.mines,
                honours=self.honours(r),
            )
            for rank, r in enumerate(final, 1)
        ]
