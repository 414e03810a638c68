"""HTML as plain lines, for messages that have nothing else; what is quoted in it begins with `>`."""

from __future__ import annotations

import re
from html import unescape

_BLOCKS = frozenset(
    (
        *("address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "form", "header"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul"),
    )
)
_UNSEEN = {name: re.compile(f"</{name}", re.I) for name in ("head", "script", "style", "title", "template")}
_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:]{0,20})")
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_ANSWERED = re.compile(r"""id=["']?(x_)?(divRplyFwdMsg|appendonsend|mail-editor-reference-message)""")
"""Where Outlook puts the letter that is answered, without any sign before its lines."""
MARK_MOST = 500
"""Characters of a mark in which its name and class are looked for."""
MARKS_MOST = 20_000
"""So many are looked at: no letter of a person has more."""


def text_of_html(html: str) -> str:
    """One pass from left to right, whatever the marks are."""
    lines = _Lines()
    at = marks = 0
    while at < len(html) and marks < MARKS_MOST:
        marks += 1
        begin = html.find("<", at)
        lines.say(html[at : begin if begin >= 0 else len(html)])
        if begin < 0:
            break
        comment = html.startswith("<!--", begin)
        end = html.find("-->" if comment else ">", begin)
        if end < 0:
            break
        at = end + (3 if comment else 1)
        mark = html[begin : min(end + 1, begin + MARK_MOST)]
        named = _NAME.match(mark)
        if comment or named is None:
            continue
        name, closes = named[1].lower(), mark.startswith("</")
        if name in _UNSEEN and not closes:
            close = _UNSEEN[name].search(html, at)
            if close is None:
                break
            at = close.start()
        elif name == "br":
            lines.end()
        elif name in _BLOCKS:
            if _ANSWERED.search(mark):
                break
            lines.begin()
            if name == "blockquote":
                lines.depth = max(0, lines.depth + (-1 if closes else 1))
            elif "gmail_signature" in mark:
                lines.say("-- ")
                lines.end()
    lines.end()
    return "\n".join(lines.done)


class _Lines:
    """Lines as they grow; in a quotation each begins with `>`."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.depth = 0
        self._pieces: list[str] = []

    def say(self, html: str) -> None:
        if html:
            self._pieces.append(_SPACES.sub(" ", unescape(html)))

    def end(self) -> None:
        line = "".join(self._pieces).strip(" ")
        self._pieces.clear()
        self.done.append(f"> {line}" if self.depth else line if line != "--" else "-- ")

    def begin(self) -> None:
        """A new line, unless this one is still empty."""
        if any(piece.strip() for piece in self._pieces):
            self.end()
        self._pieces.clear()
