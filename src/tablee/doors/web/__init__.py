"""The door for browsers and programs: REST and one WebSocket, documented in docs/protocols/web.md."""

from .door import WebDoor
from .house import WebSettings

__all__ = ["WebDoor", "WebSettings"]
