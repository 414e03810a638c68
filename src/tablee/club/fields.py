"""The form of what people write about themselves: a check gives the value to keep, or raises Invalid."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import msgspec

from tablee.club.bounds import SETTINGS_MOST
from tablee.club.errors import LANGUAGES, Invalid
from tablee.club.places import countries, time_zone_code, time_zones

PSEUDO_MOST = 30
PASSWORD_MOST = 128
EMAIL_MOST = 254
TEXT_MOST = {"first_name": 20, "family_name": 30, "telephone": 15}  # as in the AFJD document

RESERVED = frozenset({"all", "guest", "visiteur", "server", "admin", ".", ".."})
"""Words of the historic protocols; and the two names that would be lost in the path of an address."""
VISITOR_PREFIX = "visiteur-"

_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA"})
_MAIL_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
_MAIL_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def pseudo(value: Any, most: int = PSEUDO_MOST) -> str:
    """A name that somebody may choose, in NFC."""
    name = pseudo_form(value, most)
    key = pseudo_key(name)
    if key in RESERVED or key.startswith(VISITOR_PREFIX):
        raise Invalid("pseudo_reserved", "pseudo", pseudo=name)
    return name


def pseudo_form(value: Any, most: int = PSEUDO_MOST) -> str:
    """A name of the right form, reserved or not."""
    if not isinstance(value, str):
        raise Invalid("field_type", "pseudo")
    if not value:
        raise Invalid("pseudo_empty", "pseudo")
    if len(value) > 4 * PSEUDO_MOST:  # no name is that much longer before it is composed
        raise Invalid("pseudo_too_long", "pseudo", most=most)
    name = unicodedata.normalize("NFC", value)
    if len(name) > most:
        raise Invalid("pseudo_too_long", "pseudo", most=most)
    alphabets = set()
    for character in name:
        if character.isascii() and (character.isalnum() or character in "_-."):
            if character.isalpha():
                alphabets.add("LATIN")
            continue
        alphabet = _alphabet(character)
        alphabets.add(alphabet)
        # Letters of two alphabets side by side are how one name is made to look like another.
        if alphabet == "" or (len(alphabets) > 1 and not alphabets <= _EAST_ASIAN):
            raise Invalid("pseudo_characters", "pseudo", character=_shown(character))
    if len(alphabets) > 1 and not alphabets <= _EAST_ASIAN:
        raise Invalid("pseudo_characters", "pseudo", character=_shown(name[-1]))
    return name


def pseudo_key(name: str) -> str:
    """What makes two names the same: NFC, without regard to case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def password(value: Any, least: int = 1) -> str:
    """A password that somebody may choose."""
    if not isinstance(value, str):
        raise Invalid("field_type", "password")
    if len(value) < max(1, least):
        raise Invalid("password_too_short", "password", least=max(1, least))
    if len(value) > PASSWORD_MOST:
        raise Invalid("password_too_long", "password", most=PASSWORD_MOST)
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in value):
        raise Invalid("password_characters", "password")
    return value


def password_bytes(value: str) -> bytes:
    """The same password typed on two keyboards (composed accents or not) gives the same bytes."""
    return unicodedata.normalize("NFC", value).encode("utf-8", "surrogatepass")


def email(value: Any) -> str:
    """An e-mail address that a letter can be sent to."""
    if not isinstance(value, str):
        raise Invalid("field_type", "email")
    address = value.strip(" ")
    local, at, domain = address.rpartition("@")
    if len(address) > EMAIL_MOST:
        raise Invalid("field_too_long", "email", most=EMAIL_MOST)
    try:
        domain = domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        domain = ""
    dots = local.startswith(".") or local.endswith(".") or ".." in local
    if not at or dots or not _MAIL_LOCAL.fullmatch(local) or not _MAIL_DOMAIN.fullmatch(domain):
        raise Invalid("email_form", "email", email="".join(_shown(c) for c in address[:60]))
    return f"{local}@{domain}"


def email_key(address: str) -> str:
    return address.lower()


def text(field: str, value: Any) -> str:
    """A name or a telephone number: trimmed, in NFC, within its length, without control characters."""
    if not isinstance(value, str):
        raise Invalid("field_type", field)
    most = TEXT_MOST[field]
    if len(value) > 4 * most:
        raise Invalid("field_too_long", field, most=most)
    kept = unicodedata.normalize("NFC", value).strip()
    if len(kept) > most:
        raise Invalid("field_too_long", field, most=most)
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn") for c in kept):
        raise Invalid("field_characters", field)
    return kept


def country(value: Any) -> str:
    """The alpha-3 code of a country, or nothing."""
    if not isinstance(value, str):
        raise Invalid("field_type", "country")
    code = value.strip().upper()
    if code and code not in countries():
        raise Invalid("country_unknown", "country", country="".join(_shown(c) for c in value[:20]))
    return code


def time_zone(value: Any) -> str:
    """A time zone of the list, or nothing."""
    if not isinstance(value, str):
        raise Invalid("field_type", "time_zone")
    code = time_zone_code(value) if value.strip() else ""
    if code and code not in time_zones():
        raise Invalid("time_zone_unknown", "time_zone", time_zone="".join(_shown(c) for c in value[:20]))
    return code


def yes_or_no(field: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Invalid("field_type", field)
    return value


def language(value: Any) -> str:
    if value not in LANGUAGES:
        raise Invalid("language_unknown", "language", language="".join(_shown(c) for c in str(value)[:20]))
    return str(value)


def settings(value: Any) -> str:
    """The page's own settings of an account, as JSON."""
    if not isinstance(value, dict):
        raise Invalid("field_type", "settings")
    try:
        encoded = msgspec.json.encode(value)
    except (TypeError, ValueError, RecursionError):
        raise Invalid("field_type", "settings") from None
    if len(encoded) > SETTINGS_MOST:
        raise Invalid("settings_too_large", "settings", most=SETTINGS_MOST)
    return encoded.decode()


def _alphabet(character: str) -> str:
    """The alphabet of a plain letter ("LATIN", "GREEK"…), "" for anything else."""
    if unicodedata.category(character) not in ("Lu", "Ll", "Lo", "Lt"):
        return ""
    name = unicodedata.name(character, "")
    # Letters that only look different (full width, ligatures, mathematical) and Hangul's invisible fillers.
    if unicodedata.normalize("NFKC", character) != character or "FILLER" in name:
        return ""
    return name.split(" ", 1)[0]


def _shown(character: str) -> str:
    return character if character.isprintable() else f"U+{ord(character):04X}"
