"""EMAILS: codes of four digits for e-mail addresses; PLAYERS keep theirs here too."""

from __future__ import annotations

from typing import Any

from tablee.club import Invalid, Refused, fields
from tablee.club.codes import Held, of_address
from tablee.doors.afjd.calls import EMAILS
from tablee.doors.afjd.house import Ask
from tablee.doors.afjd.parameters import integer, text
from tablee.doors.afjd.refusal import Refusal, said
from tablee.store import Unit

Json = Any
ADDRESS = text("email_value", "the address", 254, 1)
CODE = integer("code", "four digits, 1000 to 9999", 1000, 9999)


@EMAILS.call("POST", "/emails", ADDRESS, CODE, status=201, secret=True)
async def put_code(ask: Ask, email_value: str, code: int) -> Json:
    """Keep a code for an address, in place of the one before, for 24 hours and five tries."""
    address, held = _address(email_value)
    write = await ask.house.club.codes.put(*held, address, str(code))
    await ask.house.store.commit(Unit(writes=[write]))
    return {"msg": "Email was added or updated"}


@EMAILS.call("GET", "/emails", ADDRESS, CODE, errors=(401, 404), secret=True)
async def check_code(ask: Ask, email_value: str, code: int) -> Json:
    """Whether this is the code of an address."""
    _, held = _address(email_value)
    codes = ask.house.club.codes
    if not await codes.is_kept(*held):
        raise Refusal(404, f"Email {email_value} does not exists")
    try:
        await codes.is_right(*held, str(code))
    except Refused:
        raise Refusal(401, "Code is incorrect") from None
    return {"msg": "Email is correct"}


def _address(value: str) -> tuple[str, Held]:
    try:
        address = fields.email(value)
    except Invalid as invalid:
        raise Refusal(400, said(invalid)) from None
    return address, of_address(address)
