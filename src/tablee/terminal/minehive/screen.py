"""The client on the whole terminal: which screen is shown, and the screen of a match."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from tablee.terminal.minehive.board import BoardView
from tablee.terminal.minehive.connection import Client, Invitation, Moved, Patience, Stage
from tablee.terminal.minehive.messages import Address, Ended, Message, PlayerCount
from tablee.terminal.minehive.model import Lobby, Match, Player, Presence
from tablee.terminal.minehive.rooms import Entrance, LobbyRoom, Ranking, Results, Room, hints
from tablee.terminal.minehive.words import Words

SENTENCES = 3
STILL_THERE = 60.0
SIGNS = {Presence.ACTIVE: "●", Presence.AWAY: "◐", Presence.GONE: "○"}


class MatchRoom(Room):
    """The board, the scores and a line to type a square in."""

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self._leaving = False

    def compose(self) -> ComposeResult:
        words = self.words
        yield Static(id="match-title", classes="title")
        with Horizontal(id="match"):
            with VerticalScroll(id="board", can_focus=False):
                yield BoardView(self.match)
            yield Static(id="side")
        yield Static(id="told")
        yield Static(id="entry")
        keys = [("↑↓←→", "key-move"), ("⏎", "key-open"), ("x", "key-mark"), ("q", "key-quit")]
        yield Static(hints([(k, words(w)) for k, w in keys]), classes="hints")

    def on_mount(self) -> None:
        self.query_one(BoardView).focus()
        self.show()

    def show(self) -> None:
        """Draw what the match has become."""
        words, match = self.words, self.match
        board = self.query_one(BoardView)
        board.match = match
        board.refresh()
        open_part = f"{match.completion} %"
        title = f"{words('title')} — {self.house.client.name} — {open_part} — "
        title += words("mines-left", n=match.mines_left)
        if self.size.width < 80 or self.size.height < 24:
            title = words("too-small")
        self.query_one("#match-title", Static).update(Text(title))
        self.query_one("#side", Static).update(self._scores())
        self._show_entry()

    def _show_entry(self) -> None:
        board = self.query_one(BoardView)
        square = board.typed or str(board.aim)
        content = self.words.content(self.match.content(board.aim))
        text = self.words("quit-match") if self._leaving else f"{self.words('square')} : {square} ({content})"
        self.query_one("#entry", Static).update(Text(text))

    def _scores(self) -> Text:
        wide = self.size.width >= 110
        words, match = self.words, self.match
        head = f"{words('players')} {words('multiplier', n=match.multiplier)}"
        if wide:
            parts = [words(k) for k in ("points", "total", "safe", "mines")]
            head = f"  {head:<18}" + "".join(f"{p:>8}" for p in parts)
        text = Text(head + "\n", no_wrap=True)
        for player in match.ranking():
            own = player.name == self.house.client.name
            style = "bold" if own else "dim" if player.presence is not Presence.ACTIVE else ""
            text.append(_score_line(player, wide=wide) + "\n", style)
        return text

    def on_resize(self) -> None:
        self.show()

    def on_board_view_aimed(self) -> None:
        self._leaving = False
        self._show_entry()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        square, match, words = event.square, self.match, self.words
        if event.mark:
            match.mark(square)
        elif square in match.marks:
            self.house.say(words("marked-square", square=square))
        elif match.content(square) is not None:
            self.house.say(words("already-open", square=square))
        elif self.house.client.click(square.x, square.y):
            match.clicked(square)
        else:
            self.house.say(words("not-connected"))
        self.show()

    async def on_key(self, event: events.Key) -> None:
        if event.key == "q":
            event.stop()
            self._leaving = True
            self._show_entry()

    async def answer_leaving(self, key: str) -> bool:
        """Take a key as the answer to "quit?", if that was asked."""
        if not self._leaving:
            return False
        self._leaving = False
        self._show_entry()
        if key in ("o", "y", "enter"):
            await self.app.action_quit()
        return True


def _score_line(player: Player, *, wide: bool) -> str:
    sign = SIGNS[player.presence]
    if wide:
        numbers = (player.points, player.total, player.safe, player.mines)
        return f"{sign} {_cut(player.name, 18):<18}" + "".join(f"{n:>8}" for n in numbers)
    return f"{sign}{_cut(player.name, 9):<9}{player.points:>6}"


def _cut(name: str, width: int) -> str:
    return name if len(name) <= width else name[: width - 1] + "…"


class MinehiveApp(App[None]):
    """Holds the connection and what is known, and shows the room where the player stands."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q", "quit", ""), ("ctrl+c", "quit", "")]
    CSS = """
    .title { height: 1; background: #2a3140; color: #ffd75f; text-style: bold; padding: 0 1; }
    .hints { height: 1; dock: bottom; }
    #told { height: 3; padding: 0 1; dock: bottom; margin-bottom: 1; }
    #form { width: 60; height: auto; padding: 1 2; align-horizontal: center; }
    #form Label { width: 100%; }
    #form Input { margin-bottom: 0; }
    .help { color: #8a93a5; }
    #lists { height: 1fr; margin-bottom: 4; }
    #matches { width: 2fr; height: 100%; }
    #available { width: 1fr; height: 100%; }
    #users, #results { height: 1fr; margin-bottom: 4; }
    #match { height: 18; }
    #board { width: 63; height: 18; }
    #side { width: 1fr; height: 18; }
    #entry { height: 1; padding: 0 1; color: #ffd75f; dock: bottom; margin-bottom: 4; }
    """

    def __init__(
        self, server: Address, words: Words, first_name: str = "", patience: Patience | None = None
    ) -> None:
        super().__init__()
        self.words = words
        self.first_name = first_name
        self.client = Client(server, self.hear, patience)
        self.lobby = Lobby()
        self.match = Match()
        self.sentences: deque[str] = deque(maxlen=SENTENCES)
        self._results_wait = False
        self._new_match = True
        self._touched = time.monotonic()

    def on_mount(self) -> None:
        self.push_screen(Entrance())
        self.set_interval(self.client.patience.look_again, self._refresh_lists)

    def _refresh_lists(self) -> None:
        # Only while somebody is there: asking for lists would keep an absent player from being sent away.
        if self.client.stage is Stage.LOBBY and time.monotonic() - self._touched < STILL_THERE:
            self.client.refresh()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.MouseEvent):
            self._touched = time.monotonic()
        if isinstance(event, events.Key):
            if event.key == "enter" and self.client.stage is Stage.KICKED:
                self.client.come_back()
                return
            if isinstance(self.screen, MatchRoom) and await self.screen.answer_leaving(event.key):
                return
        await super().on_event(event)

    def say(self, *sentences: str) -> None:
        """Show sentences at the foot of the screen."""
        self.sentences.extend(sentences)
        if isinstance(self.screen, Room):
            self.screen.tell(self.sentences)

    def hear(self, messages: Sequence[Message]) -> None:
        """Take in what the connection brought and show it."""
        sentences = []
        for message in messages:
            match message:
                case Moved(stage=stage):
                    self._moved(stage)
                case Invitation(address=address):
                    sentences.append(self.words("invited", match=address))
                    if isinstance(self.screen, LobbyRoom):
                        self.screen.invite(address)
                case _:
                    sentence = self.words.event(message)
                    if sentence:
                        sentences.append(sentence)
        if any(isinstance(m, PlayerCount) for m in messages):
            sentences.append(self.words("in-match"))
        if not self.match.over:
            sentences += [self.words.opening(opening) for opening in self.match.hear(messages)]
        fresh = self.lobby.hear(messages)
        if any(isinstance(m, Ended) for m in messages):
            self._results_wait = self._new_match = True
            self._enter(Results(self.match))
        self._show(fresh)
        self.say(*sentences)

    def _moved(self, stage: Stage) -> None:
        match stage:
            case Stage.OUT:
                self._enter(Entrance())
            case Stage.LOBBY if not self._results_wait:
                self._new_match = True
                self.say(self.words("in-lobby", name=self.client.name))
                self._enter(LobbyRoom())
            case Stage.PLAYING:
                self._results_wait = False
                if self._new_match:
                    self.match, self._new_match = Match(), False
                self.clear_notifications()
                self._enter(MatchRoom(self.match))
            case Stage.SEEKING:
                self.match.cut_off()
                self.say(self.words("seeking", server=self.client.server))
            case Stage.JOINING:
                self.say(self.words("joining"))

    def _enter(self, room: Room) -> None:
        if type(self.screen) is type(room) and not isinstance(room, Results | MatchRoom):
            return
        while len(self.screen_stack) > 2:
            self.pop_screen()
        self.switch_screen(room)

    def _show(self, fresh: set[str]) -> None:
        screen = self.screen
        if not screen.is_mounted:
            return
        if isinstance(screen, MatchRoom):
            screen.match = self.match
            screen.show()
        elif isinstance(screen, LobbyRoom) and fresh & {"matches", "available"}:
            screen.show(self.lobby)
        elif isinstance(screen, Ranking) and "users" in fresh:
            screen.show(self.lobby.users.lines)

    def leave_results(self) -> None:
        """Go on to where the player stands after he has seen the results."""
        self._results_wait = False
        if self.client.stage is Stage.OUT:
            self._enter(Entrance())
        else:
            if self.client.stage is Stage.LOBBY:
                self.say(self.words("in-lobby", name=self.client.name))
            self._enter(LobbyRoom())

    async def action_quit(self) -> None:
        await self.client.close()
        self.exit()
