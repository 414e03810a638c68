"""What whoever runs the house may choose about letters that come in."""

from __future__ import annotations

import msgspec


class MailSettings(msgspec.Struct, frozen=True):
    """`mailbox` is the address that players write to; the ways in are each optional."""

    mailbox: str = ""
    authserv_id: str = ""
    """By which the receiving server names itself in `Authentication-Results`; without, only tokens count."""
    lmtp: str = ""
    """`HOST:PORT`, or the path of a socket."""
    imap: str = ""
    """`imaps://USER:PASSWORD@HOST/FOLDER`."""
    folder: str = "Tablee"
    """Of the mailbox, in which messages that were read are laid."""
    public_url: str = ""
