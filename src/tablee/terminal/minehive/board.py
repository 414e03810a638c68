"""The board as a widget: drawn in two characters a square, aimed at with keys, mouse or a typed `K4`."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message as Event
from textual.strip import Strip
from textual.widget import Widget

from tablee.terminal.minehive.messages import HEIGHT, WIDTH
from tablee.terminal.minehive.model import MINE, ROWS, Match, Square, square_named

LEFT, TOP = 2, 2
STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
JUMPS = {"home": (-WIDTH, 0), "end": (WIDTH, 0), "pageup": (0, -HEIGHT), "pagedown": (0, HEIGHT)}

NUMBERS = ("", "#6cb6ff", "#6bd48a", "#ff8080", "#c4a5ff", "#ffb060", "#50d8d8", "#ffffff", "#b0b0b0")
LABEL, LABEL_AIMED = Style.parse("#8a93a5"), Style.parse("bold #ffd75f")
HIDDEN = (Style.parse("#8a93a5 on #3b4456"), Style.parse("#8a93a5 on #434d61"))
OPEN, LATEST = "#15181e", "#2a3140"
MARKED = Style.parse("bold #ffd75f on #3b4456")
WAITING = Style.parse("bold #15181e on #d7a94a")
BLOWN = Style.parse("bold #ffffff on #b03030")
AIM = Style.parse("bold #15181e on #ffd75f")


class BoardView(Widget, can_focus=True):
    """Shows a match and says which square the player wants."""

    DEFAULT_CSS = f"BoardView {{ width: {LEFT + 2 * WIDTH}; height: {TOP + HEIGHT}; }}"

    class Chosen(Event):
        """The player wants a square opened, or marked."""

        def __init__(self, square: Square, *, mark: bool) -> None:
            super().__init__()
            self.square = square
            self.mark = mark

    class Aimed(Event):
        """The cursor stands elsewhere, or something was typed."""

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.aim = Square(WIDTH // 2, HEIGHT // 2)
        self.typed = ""

    def render_line(self, y: int) -> Strip:
        if y < TOP:
            return self._numbers(tens=y == 0)
        if y >= TOP + HEIGHT:
            return Strip.blank(self.size.width)
        row = y - TOP
        label = Segment(f"{ROWS[row]} ", LABEL_AIMED if row == self.aim.y else LABEL)
        return Strip([label, *(self._square(Square(x, row)) for x in range(WIDTH))])

    def _numbers(self, *, tens: bool) -> Strip:
        segments = [Segment(" " * LEFT)]
        for x in range(WIDTH):
            digits = f"{x + 1:2}"
            text = digits[0] if tens else digits[1]
            segments.append(Segment(f" {text}", LABEL_AIMED if x == self.aim.x else LABEL))
        return Strip(segments)

    def _square(self, square: Square) -> Segment:
        match = self.match
        content = match.content(square)
        if content is None:
            if square in match.waiting:
                text, style = "…", WAITING
            elif square in match.marks:
                text, style = "⚑", MARKED
            else:
                text, style = "·", HIDDEN[(square.x + square.y) % 2]
        elif content == MINE:
            text, style = "*", BLOWN
        else:
            text = str(content) if content else " "
            ground = LATEST if square in match.latest else OPEN
            style = Style.parse(f"bold {NUMBERS[content]} on {ground}".replace("bold  on", "on"))
        if square == self.aim:
            return Segment(f"›{text}", AIM)
        return Segment(f" {text}", style)

    def on_key(self, event: events.Key) -> None:
        key = event.key
        if key in STEPS or key in JUMPS:
            dx, dy = STEPS.get(key) or JUMPS[key]
            self.typed = ""
            self._aim_at(Square(_within(self.aim.x + dx, WIDTH), _within(self.aim.y + dy, HEIGHT)))
        elif key in ("enter", "space"):
            self.typed = ""
            self.post_message(self.Chosen(self.aim, mark=False))
        elif key == "x":
            self.typed = ""
            self.post_message(self.Chosen(self.aim, mark=True))
        elif key == "backspace":
            self._type(self.typed[:-1])
        elif event.character and event.character.upper() in ROWS:
            self._type(event.character.upper())
        elif event.character and event.character in "0123456789" and self.typed:
            self._type(self.typed + event.character)
        else:
            return
        event.stop()

    def _type(self, text: str) -> None:
        square = square_named(text)
        if len(text) > 1 and square is None:
            return
        self.typed = text
        self._aim_at(square or (Square(self.aim.x, ROWS.index(text)) if text else self.aim))

    def _aim_at(self, square: Square) -> None:
        self.aim = square
        self.refresh()
        self.post_message(self.Aimed())

    def on_click(self, event: events.Click) -> None:
        x, y = (event.x - LEFT) // 2, event.y - TOP
        if 0 <= x < WIDTH and 0 <= y < HEIGHT and event.x >= LEFT:
            self.typed = ""
            self._aim_at(Square(x, y))
            self.post_message(self.Chosen(Square(x, y), mark=event.button == 3))


def _within(value: int, end: int) -> int:
    return max(0, min(end - 1, value))
