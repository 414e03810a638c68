"""The door for browsers and programs: REST and one WebSocket, documented in docs/protocols/web.md."""

from .door import WebDoor
from .house import WebSettings
from .page import Page

__all__ = ["Page", "WebDoor", "WebSettings"]
