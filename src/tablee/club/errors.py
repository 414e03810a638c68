"""What the club answers when it says no: a code for programs, a sentence for people."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from tablee.rules.words import load_sentences

LANGUAGES = ("fr", "en")


class ClubError(Exception):
    """A refusal: its `kind` (the status of a door), its `code`, the `parts` that fill the sentence."""

    kind: ClassVar[str] = "refused"

    def __init__(self, code: str, **parts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.parts = parts

    def sentence(self, language: str = "fr") -> str:
        """The refusal for a person, in French or English."""
        return words(language)[self.code].format(**self.parts)

    def __str__(self) -> str:
        return self.sentence("en")


class Invalid(ClubError):
    """Something given does not have the form it must have; `parts["field"]` names it."""

    kind = "invalid"

    def __init__(self, code: str, field: str, **parts: Any) -> None:
        super().__init__(code, field=field, **parts)
        self.field = field


class NotFound(ClubError):
    """What was asked for does not exist, or not for the one who asks."""

    kind = "not_found"


class UnknownAccount(NotFound):
    """Nobody has this name."""

    def __init__(self, name: str | int) -> None:
        super().__init__("account_unknown", name=str(name)[:60])


class Refused(ClubError):
    """The person is known and may not do this."""

    kind = "refused"


class WrongPassword(Refused):
    """The name is known, the password is not his."""

    def __init__(self) -> None:
        super().__init__("password_wrong")


class BadCredentials(Refused):
    """Name or password is wrong; which of them is not said."""

    kind = "unidentified"

    def __init__(self) -> None:
        super().__init__("credentials_bad")


class InvalidToken(Refused):
    """The token is unknown, has expired or was revoked."""

    kind = "unidentified"

    def __init__(self, code: str = "token_invalid") -> None:
        super().__init__(code)


class Banned(Refused):
    """The account is shut until `until`."""

    def __init__(self, until: int) -> None:
        super().__init__("banned", until=until)
        self.until = until


class Taken(ClubError):
    """Somebody else has it already."""

    kind = "taken"


class PseudoTaken(Taken):
    def __init__(self, pseudo: str) -> None:
        super().__init__("pseudo_taken", field="pseudo", pseudo=pseudo)


class EmailTaken(Taken):
    def __init__(self, email: str) -> None:
        super().__init__("email_taken", field="email", email=email)


class TooMany(ClubError):
    """Too often, or too much at once: try again after `seconds`."""

    kind = "too_many"

    def __init__(self, seconds: int, what: str = "") -> None:
        super().__init__("too_many", seconds=seconds, what=what)
        self.seconds = seconds
        self.what = what


@cache
def words(language: str) -> dict[str, str]:
    """Every sentence of the club in one language; French where the language is not one of ours."""
    return load_sentences("tablee.club", language)
