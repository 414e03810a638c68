"""The letters that answer letters: what is saved, what was refused and why, what is missing, until when."""

from __future__ import annotations

import msgspec

from tablee.club import Account
from tablee.club.letters import Letter, Letters
from tablee.doors.mail.obeying import WORDS, Obeyed
from tablee.tables import Chair, HouseTable
from tablee.tables.call_words import TableWords

LISTED_MOST = 20
SHOWN_MOST = 120
"""Characters of a line that are said again."""


class Answers:
    """Composes them as the club's letters, in the language of who gets them."""

    def __init__(self, letters: Letters, words: TableWords, public_url: str) -> None:
        self._letters = letters
        self._table_words = words
        self._url = public_url.rstrip("/")

    def receipt(self, account: Account, chair: Chair, role: int, obeyed: Obeyed) -> Letter:
        """What became of a letter, and how it stands now."""
        words = WORDS[_language(account)]
        parts = [*self._standing(account, chair, role), *obeyed.said]
        if obeyed.waits:
            parts.append(words["unsent"].format(link=self._link(chair.info)))
        if obeyed.refused:
            lines = []
            for refusal in obeyed.refused[:LISTED_MOST]:
                text = refusal.text if len(refusal.text) <= SHOWN_MOST else refusal.text[:SHOWN_MOST] + "…"
                lines.append(words["refused_line"].format(text=text, why=refusal.why))
                if refusal.guess:
                    lines.append("    " + words["guess"].format(guess=refusal.guess))
            more = len(obeyed.refused) - LISTED_MOST
            if more > 0:
                lines.append(words["more_lines"].format(number=more))
            parts.append(_listed(words["refused"], lines))
        parts += obeyed.notes
        if obeyed.wants_help:
            parts.append(words["help"].strip("\n"))
        return self._composed(
            account, chair.info.name, "receipt_subject", [*parts, self._how(account, chair)]
        )

    def late(self, account: Account, chair: Chair, role: int) -> Letter:
        """The phase that was answered is over."""
        parts = [WORDS[_language(account)]["late"], *self._standing(account, chair, role)]
        return self._composed(account, chair.info.name, "late_subject", parts)

    def prove(self, account: Account, chair: Chair) -> Letter:
        """Somebody wrote in his name, perhaps he himself: this letter can be answered."""
        parts = [WORDS[_language(account)]["prove"], *self._standing(account, chair, 0)]
        return self._composed(account, chair.info.name, "prove_subject", parts)

    def which(self, account: Account, tables: list[HouseTable]) -> Letter:
        """He has not said which game is meant."""
        words = WORDS[_language(account)]
        lines = [words["which_line"].format(table=info.id, name=info.name) for info in tables[:LISTED_MOST]]
        return self._composed(account, "Tablée", "which_subject", [_listed(words["which"], lines)])

    def _standing(self, account: Account, chair: Chair, role: int) -> list[str]:
        """How it stands for this person."""
        language = _language(account)
        words = WORDS[language]
        if chair.is_over:
            return [words["over"]]
        found = chair.written(role, language)
        waits = chair.seat in chair.waiting()
        parts = [found.phase] if found.phase else []
        if found.is_final is None:
            if found.given:
                parts.append(_listed(words["moves"], found.given))
            parts.append(words["nothing_owed" if found.phase else "your_turn" if waits else "their_turn"])
        else:
            parts.append(_listed(words["saved"], found.given) if found.given else words["nothing_saved"])
            if found.missing:
                parts.append(_listed(words["missing"], found.missing))
            if found.given or found.is_final:
                parts.append(words["final" if found.is_final else "not_final"])
        if found.by is not None:
            parts.append(words["by"].format(date=self._table_words.when(account, found.by)))
        return parts

    def _how(self, account: Account, chair: Chair) -> str:
        words = WORDS[_language(account)]
        return words["how_elsewhere"].format(link=self._link(chair.info)) if chair.is_over else words["how"]

    def _link(self, info: HouseTable) -> str:
        return f"{self._url}/tables/{info.id}"

    def _composed(self, account: Account, game: str, about: str, parts: list[str]) -> Letter:
        assert account.email is not None
        language = _language(account)
        return self._letters.compose(
            "game_mail",
            account.email,
            language,
            pseudo=account.pseudo,
            game=game,
            about=WORDS[language][about],
            body="\n\n".join(parts),
        )


def in_answer(letter: Letter, reply_to: str | None, message_id: str) -> Letter:
    """The letter as an answer to a message, and with the address to which it is answered itself."""
    is_plain = message_id.isascii() and message_id.isprintable() and len(message_id) <= 200
    return msgspec.structs.replace(letter, reply_to=reply_to, answers=message_id if is_plain else "")


def _listed(title: str, lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join([title, *(f"    {line}" for line in lines)])


def _language(account: Account) -> str:
    return "en" if account.language == "en" else "fr"
