"""Lines become records, and nonsense becomes nothing."""

from __future__ import annotations

import pytest

from tablee.terminal.minehive.messages import (
    Address,
    BoardRow,
    FinalScore,
    InMatch,
    MatchLine,
    Message,
    Opened,
    Say,
    Score,
    is_sayable,
    parse,
)


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ("SQRD#3#10#-1#-20#Adil", Opened(3, 10, -1, -20, "Adil")),
        ("SQRD#3#10#2#4#Adil#more", Opened(3, 10, 2, 4, "Adil")),
        ("IDIG#10.0.0.1#4321", InMatch(Address("10.0.0.1", 4321))),
        (
            "MATC#::1#4321#Partie_1#12#Adil#30#Élise#-5",
            MatchLine(Address("::1", 4321), "Partie_1", 12, (("Adil", 30), ("Élise", -5))),
        ),
        ("MATC#h#1#Partie_1#0", MatchLine(Address("h", 1), "Partie_1", 0, ())),
        ("BDIT#15#-1#8#" + "#".join(["X"] * 28), BoardRow(15, (-1, 8, *[None] * 28))),
        (
            "SCPC#Adil#70#170#20#1#BestMinesweeper#MostBlownUp",
            FinalScore(Score("Adil", 70, 170, 20, 1), ("BestMinesweeper", "MostBlownUp")),
        ),
    ],
)
def test_a_line_becomes_its_record(line: str, record: Message) -> None:
    assert parse(line) == record
    assert parse(line + "\r\n") == record


EVERY_TYPE = [
    *("RUOK", "IDOK", "IDNO", "KICK", "FULL", "LATE", "IDKS", "IDKH", "NWNO", "JNNO", "IDIG#h#1", "NWOK#h#1"),
    *("LMNB#0", "MATC#h#1#Partie_1#0", "LANB#1", "AVAI#a#1", "LUNB#1", "USER#a#1", "JNOK#16", "IGNB#1"),
    *("IGPL#a#1#2#3#4", "CONN#a#1#2#3#4", "SQRD#0#0#0#1#a", "OORG#30#x", "DECO#a", "AFKP#a", "BACK#a"),
    *("SCPC#a#1#2#3#4", "ENDC#1"),
]


@pytest.mark.parametrize("line", EVERY_TYPE)
def test_every_type_of_the_document_is_known(line: str) -> None:
    assert parse(line) is not None


@pytest.mark.parametrize(
    "line",
    [
        *("", "#", "PILE", "ruok", "SQRD"),
        *("SQRD#30#0#1#1#a", "SQRD#0#16#1#1#a", "SQRD#0#0#9#1#a", "SQRD#x#0#1#1#a"),
        *("BDIT#0#X", "BDIT#16" + "#X" * 30, "IDIG#host", "IDIG#host#0", "IDIG##80", "DECO#", "LMNB#many"),
    ],
)
def test_nonsense_is_not_understood(line: str) -> None:
    assert parse(line) is None


def test_a_name_cannot_command_the_terminal() -> None:
    gone = parse("DECO#\x1b[2JAdil")
    assert gone is not None
    assert "\x1b" not in repr(gone)


def test_what_cannot_stand_in_a_line_is_not_sayable() -> None:
    assert is_sayable("Élise")
    assert not any(is_sayable(text) for text in ("", "a#b", "a\nb", "a\x00"))


def test_k4_is_clicked_as_column_three_row_ten() -> None:
    assert Say.click(3, 10) == "CLIC#3#10"
    assert Say.new_match() == "NWMA"
    assert Say.new_match(("Adil", "Élise")) == "NWMA#Adil#Élise"
