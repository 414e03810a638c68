"""What somebody has written himself: without the letter that he answers, and without his signature.

The forms are those of Thunderbird, Gmail, Outlook and Apple Mail, in French and in English. Answers above,
below and between quoted lines are all read; what a program quotes without any sign ends the letter.
"""

from __future__ import annotations

import re

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f"))
_QUOTED = re.compile(r"\s*(>|\|(\s|$))")
_SIGNATURE = re.compile(r"(--|—|__) ?$")
_RULED = re.compile(r"\s*_{10,}\s*$")
_BELOW = re.compile(
    r"\s*(?:-{2,}|_{2,})\s*"
    r"(?:original message|message d['’]origine|message original|message initial|forwarded message"
    r"|message transf[ée]r[ée]|e-mail d['’]origine|courriel original|original-nachricht)"
    r"\s*:?\s*(?:-{2,}|_{2,})?\s*$"
    r"|\s*(?:d[ée]but du message (?:r[ée]exp[ée]di[ée]|transf[ée]r[ée])|begin forwarded message)\s*:\s*$",
    re.I,
)
_FIELD = re.compile(
    r"\s*\*?(de|from|exp[ée]diteur|envoy[ée]|sent|date|[àa]|to|cc|objet|subject|r[ée]pondre [àa]|reply-to)"
    r"\s*:\*?(?:\s|$)",
    re.I,
)
_SENDER = re.compile(r"\s*\*?(de|from|exp[ée]diteur)\s*:\*?\s+\S", re.I)
_SAID_BEGIN = re.compile(r"\s*(le|on|am)\s.*\d", re.I)
_SAID = re.compile(
    r"\s*(le|on)\s.{4,400}?(a [ée]crit|wrote|[ée]crivait|writes)\s*:?\s*$"
    r"|\s*\S.{0,200}(a [ée]crit|wrote)\s*:\s*$",
    re.I | re.S,
)
_TAGLINE = re.compile(
    r"\s*(?:envoy[ée] (?:de(?:puis)?|avec|[àa] partir d)|sent (?:from|with)|get outlook for"
    r"|obten(?:ir|ez) outlook|t[ée]l[ée]charge[rz] outlook|provenance\s*:\s*courrier|virus-free"
    r"|garanti sans virus)\b.{0,120}$",
    re.I,
)
SAID_LINES = 4
"""Lines over which a program may break “Le … a écrit :”."""
LINE_MOST = 2_000
LINES_MOST = 20_000


def own_lines(text: str) -> list[str]:
    """The lines that were written for this letter, trimmed; empty ones among them, none at either end."""
    lines = [
        line.translate(_INVISIBLE).replace("\xa0", " ").replace("\u202f", " ").rstrip()[:LINE_MOST]
        for line in re.split(r"\r\n|\r|\n", text, maxsplit=LINES_MOST)[:LINES_MOST]
    ]
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if _QUOTED.match(line):
            at += 1
        elif _SIGNATURE.match(line) or _ends_here(lines, at):
            break
        elif said := _attribution(lines, at):
            following = next((each for each in lines[at + said :] if each), "")
            if not _QUOTED.match(following):
                break  # quoted without any sign: nobody can tell what is whose
            at += said
        else:
            if not _TAGLINE.match(line):
                kept.append(line.strip())
            at += 1
    while kept and not kept[-1]:
        kept.pop()
    while kept and not kept[0]:
        kept.pop(0)
    return kept


def _ends_here(lines: list[str], at: int) -> bool:
    """Whether the letter that is answered begins here, without signs before its lines."""
    line = lines[at]
    if _BELOW.match(line):
        return True
    if _RULED.match(line):
        following = next((each for each in lines[at + 1 : at + 4] if each), "")
        return bool(_FIELD.match(following)) or not following
    if _SENDER.match(line):
        fields = [each for each in lines[at + 1 : at + 7] if each][:3]
        return sum(bool(_FIELD.match(each)) for each in fields) >= 2
    return False


def _attribution(lines: list[str], at: int) -> int:
    """How many lines “Le …, … a écrit :” takes from here on; 0 where it is none."""
    if not _SAID_BEGIN.match(lines[at]):
        return 1 if "@" in lines[at] and _SAID.fullmatch(lines[at]) else 0
    together = ""
    for number, line in enumerate(lines[at : at + SAID_LINES], 1):
        if not line or (number > 1 and _QUOTED.match(line)):
            return 0
        together = f"{together} {line.strip()}"
        if _SAID.fullmatch(together):
            return number
    return 0
