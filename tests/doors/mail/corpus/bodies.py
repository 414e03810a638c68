"""Two hundred messages: twenty forms in which programs send an answer, each with ten letters of orders.

A form says how Thunderbird, Gmail, Outlook and Apple Mail lay out what somebody writes and what he answers;
a letter says what he writes, and which orders of France in the spring of the first year are meant by it.
"""

# ruff: noqa: E501 (a line of a form is one line)

from __future__ import annotations

import base64
import html
import quopri
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

ASKED = """\
Bonjour Alice,

printemps 1901 : la partie « Raspoutine » attend vos ordres, France.
A PAR - PIC
définitif

--{space}
Le club""".replace("{space}", " ")
"""The letter that everybody answers: nothing of it may be taken for an order."""


class Letter(NamedTuple):
    """What somebody writes, and the orders that are meant, as the house prints them in French."""

    lines: tuple[str, ...]
    orders: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


BASIC = ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MID")
LETTERS = (
    Letter(BASIC, BASIC),
    Letter(
        (
            "Armée Paris vers Bourgogne",
            "Armée Marseille soutient Armée Paris vers Bourgogne",
            "Flotte Brest vers Atlantique moyen",
        ),
        BASIC,
    ),
    Letter(
        (
            "Army Paris to Burgundy",
            "Army Marseilles supports Army Paris to Burgundy",
            "Fleet Brest to Mid-Atlantic Ocean",
        ),
        BASIC,
    ),
    Letter(("a par -> bur", "a mar s a par -> bur", "f bre -> mao"), BASIC),
    Letter(("A PAR – BUR", "A MAR S A PAR → BUR", "F BRE — MID"), BASIC),
    Letter(("Bonjour,", "", *BASIC, "", "Cordialement,", "Alice"), BASIC),
    Letter(
        ("A PAR - PIC", "A MAR tient", "F BRE - Manche", "définitif"),
        ("A PAR - PIC", "A MAR T", "F BRE - ENG"),
    ),
    Letter(
        ("France: A PAR - GAS", "", "A MAR - ESP", "A MAR - SPA", "F BRE H"),
        ("A PAR - GAS", "A MAR - SPA", "F BRE T"),
    ),
    Letter(
        (
            "A PAR - PIC",
            "A PAR - BUR",
            "presse :",
            "La Belgique est à nous, n’est-ce pas ?",
            "",
            "F BRE - PIC",
        ),
        ("A PAR - BUR", "F BRE - PIC"),
    ),
    Letter(
        ("- A PAR", "A Marseille - Spain", "Hi,", "F Brest - English Channel", "not final"),
        ("A MAR - SPA", "F BRE - ENG"),
    ),
)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _as_html(text: str) -> str:
    return "<br>\n".join(html.escape(line) for line in text.splitlines())


def _plain(text: str) -> bytes:
    return _sent(text.encode(), "text/plain; charset=UTF-8", "8bit")


def _sent(body: bytes, kind: str, encoding: str) -> bytes:
    head = (
        "Return-Path: <alice@exemple.fr>\n"
        "From: =?utf-8?q?Alice_L=C3=A9ger?= <Alice@exemple.fr>\n"
        "To: Le club <ordres+abc@club.example>\n"
        "Subject: =?utf-8?q?Re=3A_Raspoutine_=3A_=C3=A0_vous?=\n"
        "Message-ID: <1@exemple.fr>\n"
        "MIME-Version: 1.0\n"
        f"Content-Type: {kind}\n"
        f"Content-Transfer-Encoding: {encoding}\n\n"
    )
    return head.encode() + body


def _html_only(inside: str) -> bytes:
    page = f"<html><head><style>p {{ margin: 0 }}</style></head><body>{inside}</body></html>"
    return _sent(quopri.encodestring(page.encode()), "text/html; charset=utf-8", "quoted-printable")


def _several(kind: str, *parts: bytes) -> bytes:
    joined = b"".join(b"--=_grenze\n" + part + b"\n" for part in parts)
    return _sent(b"This is MIME.\n" + joined + b"--=_grenze--\n", f'{kind}; boundary="=_grenze"', "7bit")


def _part(kind: str, encoding: str, body: bytes, *more: str) -> bytes:
    head = [f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}", *more]
    return "\n".join(head).encode() + b"\n\n" + body


def _outlook(de: str, sent: str, to: str, subject: str) -> str:
    return (
        f"{de} Le club <ordres@club.example>\n{sent}\n{to} Alice <alice@exemple.fr>\n"
        f"{subject} Raspoutine : à vous\n\n"
    )


_DE = _outlook("De :", "Envoyé : lundi 3 mars 2025 10:12", "À :", "Objet :")
_FROM = _outlook("From:", "Sent: Monday, March 3, 2025 10:12 AM", "To:", "Subject:")
_RULE = "_" * 32

FORMS: dict[str, Callable[..., bytes]] = {
    "Thunderbird, French, below": lambda said, asked=ASKED: _plain(
        f"Le 03/03/2025 à 10:12, Le club a écrit :\n{_quoted(asked)}\n\n{said}\n"
    ),
    "Thunderbird, English, below": lambda said, asked=ASKED: _plain(
        f"On 03/03/2025 10:12, Le club wrote:\n{_quoted(asked)}\n{said}\n\n-- \nAlice\nA PAR - PIC\n"
    ),
    "Thunderbird, French, above": lambda said, asked=ASKED: _plain(
        f"{said}\n\nLe 03/03/2025 à 10:12, Le club via ordres a écrit :\n{_quoted(asked)}\n"
    ),
    "Thunderbird, flowed": lambda said, asked=ASKED: _sent(
        f"{said}\n\nOn 3/3/25 10:12, Le club wrote:\n{_quoted(asked)}\n".encode(),
        "text/plain; charset=UTF-8; format=flowed",
        "8bit",
    ),
    "Gmail, French": lambda said, asked=ASKED: _plain(
        f"{said}\n\nLe lun. 3 mars 2025 à 10:12, Le club <ordres+abc@club.example> a écrit :\n\n{_quoted(asked)}\n>\n"
    ),
    "Gmail, English, its line broken": lambda said, asked=ASKED: _plain(
        f"{said}\n\nOn Mon, Mar 3, 2025 at 10:12 AM Le club <ordres+abcdefghijklmnop@club.example>\n"
        f"wrote:\n\n{_quoted(asked)}\n"
    ),
    "Gmail, HTML alone": lambda said, asked=ASKED: _html_only(
        f'<div dir="ltr">{_as_html(said)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        "Le lun. 3 mars 2025 à 10:12, Le club &lt;<a href='mailto:o@club.example'>o@club.example</a>&gt;"
        " a écrit&nbsp;:<br></div><blockquote class='gmail_quote' style='border-left:1px solid'>"
        f"{_as_html(asked)}</blockquote></div>"
    ),
    "Gmail, both": lambda said, asked=ASKED: _several(
        "multipart/alternative",
        _part(
            "text/plain; charset=UTF-8",
            "quoted-printable",
            quopri.encodestring(
                f"{said}\n\nLe lun. 3 mars 2025 à 10:12, Le club <o@club.example> a\nécrit :\n\n{_quoted(asked)}\n".encode()
            ),
        ),
        _part("text/html; charset=UTF-8", "8bit", b"<p>A PAR - PIC</p>"),
    ),
    "Outlook, French": lambda said, asked=ASKED: _plain(f"{said}\n\n{_RULE}\n{_DE}{asked}\n"),
    "Outlook, English": lambda said, asked=ASKED: _plain(
        f"{said}\n\n-----Original Message-----\n{_FROM}{asked}\n"
    ),
    "Outlook, French, old": lambda said, asked=ASKED: _plain(
        f"{said}\n\n-----Message d'origine-----\n{_DE}{asked}\n"
    ),
    "Outlook, header alone": lambda said, asked=ASKED: _plain(f"{said}\n\n{_FROM}{asked}\n"),
    "Outlook, HTML alone": lambda said, asked=ASKED: _html_only(
        "".join(f'<p class="MsoNormal">{html.escape(line) or "&nbsp;"}</p>' for line in said.splitlines())
        + '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>De&nbsp;:</b> Le club'
        " &lt;o@club.example&gt;<br><b>Envoyé&nbsp;:</b> lundi 3 mars 2025 10:12<br><b>À&nbsp;:</b> Alice<br>"
        f"<b>Objet&nbsp;:</b> Raspoutine</p></div><p>{_as_html(asked)}</p>"
    ),
    "Outlook on a telephone": lambda said, asked=ASKED: _html_only(
        f"<div dir='auto'>{_as_html(said)}</div><div><br></div><div>Télécharger Outlook pour iOS</div>"
        f'<hr><div id="divRplyFwdMsg"><b>De :</b> Le club</div><div>{_as_html(asked)}</div>'
    ),
    "Apple Mail, French": lambda said, asked=ASKED: _plain(
        f"{said}\n\n> Le 3 mars 2025 à 10:12, Le club <ordres@club.example> a écrit :\n> \n{_quoted(asked)}\n"
    ),
    "Apple Mail, English": lambda said, asked=ASKED: _plain(
        f"{said}\n\nOn 3 Mar 2025, at 10:12, Le club <ordres@club.example> wrote:\n\n{_quoted(asked)}\n"
    ),
    "an iPhone": lambda said, asked=ASKED: _several(
        "multipart/alternative",
        _part(
            "text/plain; charset=utf-8",
            "base64",
            base64.encodebytes(
                f"{said}\n\nEnvoyé de mon iPhone\n\n> Le 3 mars 2025 à 10:12, Le club a écrit :\n{_quoted(asked)}\n".encode()
            ),
        ),
    ),
    "Apple Mail, HTML alone": lambda said, asked=ASKED: _html_only(
        f"{_as_html(said)}<br><div><br><blockquote type='cite'><div>Le 3 mars 2025 à 10:12, Le club"
        f" &lt;o@club.example&gt; a écrit :</div><br>{_as_html(asked)}</blockquote></div>"
    ),
    "ISO-8859-1, with a file": lambda said, asked=ASKED: _several(
        "multipart/mixed",
        _part(
            "text/plain; charset=ISO-8859-1",
            "8bit",
            f"{said}\n\n-------- Message d'origine --------\n{asked}\n".replace("’", "\x92")
            .replace("–", "-")
            .replace("—", "-")
            .replace("→", "->")
            .encode("latin-1", "replace"),
        ),
        _part(
            "application/zip",
            "base64",
            b"UEsDBBQAAAAIA" * 40,
            'Content-Disposition: attachment; filename="a.zip"',
        ),
    ),
    "a charset of nobody": lambda said, asked=ASKED: _sent(
        f"{said}\n\n{_quoted(asked)}\n".encode(), 'text/plain; charset="x-klingon"', "8bit"
    ),
}
"""What a program sends when somebody writes this in answer to that."""


def corpus() -> Iterator[tuple[str, bytes, Letter]]:
    """Every form with every letter: its name, the bytes, what is meant."""
    for name, form in FORMS.items():
        for number, letter in enumerate(LETTERS, 1):
            yield f"{name} {number}", form(letter.text), letter


def mutated(number: int) -> Iterator[bytes]:
    """Messages of the corpus with bytes changed, cut, put in and doubled."""
    rng = Random(number)
    sources = [raw for _, raw, _ in corpus()]
    words = [b"\x00", b"\xff\xfe", b"--=_grenze", b"\n\n", b"=?utf-8?b?", b"<", b"boundary=", b"\r", b"="]
    for _ in range(number):
        raw = bytearray(rng.choice(sources))
        for _ in range(rng.randint(1, 12)):
            at = rng.randrange(len(raw) + 1)
            match rng.randrange(5):
                case 0:
                    raw[at : at + 1] = bytes([rng.randrange(256)])
                case 1:
                    del raw[at : at + rng.randrange(60)]
                case 2:
                    raw[at:at] = rng.choice(words)
                case 3:
                    raw[at:at] = raw[at : at + rng.randrange(200)]
                case _:
                    raw = raw[:at] if rng.random() < 0.1 else raw
        yield bytes(raw)
