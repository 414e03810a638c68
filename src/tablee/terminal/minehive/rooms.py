"""The screens beside the board: the entrance, the lobby, the ranking, the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, DataTable, Input, Label, Static

from tablee.terminal.minehive.messages import Address, UserLine, is_sayable
from tablee.terminal.minehive.model import Lobby, Match
from tablee.terminal.minehive.words import Words

if TYPE_CHECKING:
    from tablee.terminal.minehive.screen import MinehiveApp


class Room(Screen[None]):
    """A screen with a title above and the latest sentences below."""

    @property
    def house(self) -> MinehiveApp:
        """The application, by its own type."""
        return self.app  # type: ignore[return-value]

    @property
    def words(self) -> Words:
        """The player's language."""
        return self.house.words

    def tell(self, sentences: Sequence[str]) -> None:
        """Show the latest sentences."""
        for shown in self.query("#told").results(Static):
            shown.update(Text("\n".join(sentences)))

    def on_screen_resume(self) -> None:
        self.tell(self.house.sentences)


def hints(pairs: Sequence[tuple[str, str]]) -> Text:
    """A line that says what the keys do."""
    text = Text(no_wrap=True, overflow="ellipsis")
    for key, meaning in pairs:
        text.append(f" {key} ", "bold #15181e on #8a93a5").append(f" {meaning} ")
    return text


class Entrance(Room):
    """Asks for a name and a password."""

    def compose(self) -> ComposeResult:
        words = self.words
        with Vertical(id="form"):
            yield Label(Text(f"{words('title')} — {self.house.client.server}"), classes="title")
            yield Label(words("name"))
            yield Input(self.house.first_name, id="name", max_length=30)
            yield Label(words("password"))
            yield Input(password=True, id="password", max_length=128)
            yield Button(words("log-in"), id="log-in", variant="primary")
            yield Label(words("log-in-help"), classes="help")
        yield Static(id="told")

    def on_mount(self) -> None:
        self.query_one("#password" if self.house.first_name else "#name").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "name":
            self.query_one("#password").focus()
        else:
            self._log_in()

    def on_button_pressed(self) -> None:
        self._log_in()

    def _log_in(self) -> None:
        name, password = (self.query_one(f"#{i}", Input).value for i in ("name", "password"))
        if is_sayable(name) and is_sayable(password):
            self.house.client.log_in(name, password)
        else:
            self.house.say(self.words("unsayable"))


class LobbyRoom(Room):
    """Running matches on the left, free players on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("n", "new", ""),
        ("t", "new_for_all", ""),
        ("c", "ranking", ""),
        ("r", "refresh", ""),
        ("i", "accept", ""),
        ("q", "quit", ""),
        ("space", "choose", ""),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._guests: set[str] = set()
        self._invited_to: Address | None = None
        self._addresses: list[Address] = []

    def compose(self) -> ComposeResult:
        words = self.words
        yield Static(id="lobby-title", classes="title")
        with Horizontal(id="lists"):
            yield DataTable(id="matches", cursor_type="row")
            yield DataTable(id="available", cursor_type="row")
        yield Static(id="told")
        keys = [("⏎", "key-join"), ("n", "key-new"), ("␣", "key-mark-guest"), ("t", "key-all")]
        keys += [("c", "key-users"), ("q", "key-quit")]
        yield Static(hints([(k, words(w)) for k, w in keys]), classes="hints")

    def on_mount(self) -> None:
        words = self.words
        table = self.query_one("#matches", DataTable)
        for key in ("match", "completion", "players"):
            table.add_column(words(key), key=key)
        table = self.query_one("#available", DataTable)
        table.add_column(words("available"), key="name")
        table.add_column(words("points"), key="points")
        self.show(self.house.lobby)

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        title = f"{self.words('title')} — {self.house.client.server} — {self.house.client.name}"
        self.query_one("#lobby-title", Static).update(Text(title))

    def show(self, lobby: Lobby) -> None:
        """Put the lists of the server on the screen."""
        table = self.query_one("#matches", DataTable)
        row = table.cursor_row
        table.clear()
        matches = sorted(lobby.matches.lines, key=lambda m: m.address != self._invited_to)
        self._addresses = [m.address for m in matches]
        for m in matches:
            players = ", ".join(f"{name} {points}" for name, points in m.players)
            invited = "✉ " if m.address == self._invited_to else ""
            table.add_row(Text(invited + m.name), Text(f"{m.completion} %"), Text(players))
        table.move_cursor(row=min(row, max(0, len(matches) - 1)))
        table = self.query_one("#available", DataTable)
        row = table.cursor_row
        table.clear()
        self._guests &= {a.name for a in lobby.available.lines}
        for a in sorted(lobby.available.lines, key=lambda a: -a.points):
            chosen = "✓ " if a.name in self._guests else "  "
            table.add_row(Text(chosen + a.name), Text(str(a.points), justify="right"), key=a.name)
        table.move_cursor(row=min(row, max(0, table.row_count - 1)))

    def invite(self, address: Address) -> None:
        """Show that somebody wants this player at an address; `i` accepts the latest invitation."""
        self._invited_to = address
        self.app.bell()
        self.notify(
            self.words("invited", match=address) + f"  i : {self.words('key-invitation')}", timeout=20
        )
        self.house.client.refresh()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        if event.data_table.id == "matches":
            self.house.client.join(self._addresses[event.cursor_row])
        else:
            self.action_choose()

    def action_choose(self) -> None:
        table = self.query_one("#available", DataTable)
        if table.has_focus and table.row_count:
            name = str(table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value)
            self._guests ^= {name} - {self.house.client.name}
            self.show(self.house.lobby)

    def action_new(self) -> None:
        self.house.client.create(tuple(sorted(self._guests)))

    def action_new_for_all(self) -> None:
        self.house.client.create(("ALL",))

    def action_ranking(self) -> None:
        self.house.client.ask_users()
        self.app.push_screen(Ranking())

    def action_refresh(self) -> None:
        self.house.client.refresh()

    def action_accept(self) -> None:
        if self._invited_to is not None:
            self.house.client.join(self._invited_to)

    async def action_quit(self) -> None:
        await self.app.action_quit()


class Ranking(Room):
    """All users and their points, best first."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,c,enter", "app.pop_screen", "")]

    def compose(self) -> ComposeResult:
        yield Static(self.words("users"), classes="title")
        yield DataTable(id="users", cursor_type="row")
        yield Static(hints([("Esc", self.words("key-close"))]), classes="hints")

    def on_mount(self) -> None:
        table = self.query_one("#users", DataTable)
        table.add_columns("#", self.words("name"), self.words("points"))
        self.show(self.house.lobby.users.lines)

    def show(self, users: Sequence[UserLine]) -> None:
        """Put the users on the screen."""
        table = self.query_one("#users", DataTable)
        table.clear()
        for rank, user in enumerate(sorted(users, key=lambda u: -u.points), 1):
            table.add_row(str(rank), Text(user.name), Text(str(user.points), justify="right"))

    def on_data_table_row_selected(self) -> None:
        self.app.pop_screen()


class Results(Room):
    """The end of a match: final scores and honours."""

    AUTO_FOCUS = ""  # the keys belong to the screen, not to its table
    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,space,q", "leave", "")]

    def __init__(self, match: Match) -> None:
        super().__init__()
        self._match = match

    def compose(self) -> ComposeResult:
        words = self.words
        yield Static(words("over"), classes="title")
        yield DataTable(id="results", cursor_type="none")
        yield Static(id="told")
        yield Static(hints([("⏎", words("key-close"))]), classes="hints")

    def on_mount(self) -> None:
        words = self.words
        table = self.query_one("#results", DataTable)
        table.add_columns(
            *("#", words("name"), *(words(k) for k in ("points", "total", "safe", "mines")), "")
        )
        best = sorted(self._match.results, key=lambda r: -r.score.points)
        for rank, r in enumerate(best, 1):
            s = r.score
            numbers = (Text(str(n), justify="right") for n in (s.points, s.total, s.safe, s.mines))
            table.add_row(str(rank), Text(s.name), *numbers, Text(words.honours(r)))

    def action_leave(self) -> None:
        self.house.leave_results()
