"""What a client knows of a match is what the lines told it."""

from __future__ import annotations

import pytest
from tests.terminal.scripted import board, players

from tablee.terminal.minehive.messages import Message, parse
from tablee.terminal.minehive.model import Lobby, Match, Presence, Square, square_named


def said(*lines: str) -> list[Message]:
    messages = [parse(line) for line in lines]
    assert None not in messages
    return [m for m in messages if m]


def joined(*scores: str) -> Match:
    match = Match()
    match.hear(said(*board(), *players(*scores)))
    return match


@pytest.mark.parametrize(
    ("text", "square"),
    [("K4", (3, 10)), ("k4", (3, 10)), (" A 1 ", (0, 0)), ("P30", (29, 15)), ("K04", (3, 10))],
)
def test_a_letter_and_a_number_name_a_square(text: str, square: tuple[int, int]) -> None:
    assert square_named(text) == square


@pytest.mark.parametrize("text", ["", "K", "4", "K0", "K31", "Q4", "K4x", "4K", "K-4", "K٣"])
def test_there_are_no_other_squares(text: str) -> None:
    assert square_named(text) is None


def test_every_square_is_called_by_the_name_it_answers_to() -> None:
    assert all(square_named(str(Square(x, y))) == (x, y) for x in range(30) for y in range(16))


def test_an_opened_square_scores_for_who_clicked_it() -> None:
    match = joined("Adil#0#100#0#0", "Élise#0#0#0#0")
    match.hear(said("SQRD#3#10#2#4#Adil", "SQRD#4#10#-1#-20#Adil"))
    adil = match.players["Adil"]
    assert (adil.points, adil.total, adil.safe, adil.mines) == (-16, 84, 1, 1)
    assert match.content(Square(3, 10)) == 2
    assert match.mines_left == 98


def test_a_cascade_is_one_opening_and_another_click_another() -> None:
    match = joined("Adil#0#0#0#0", "Élise#0#0#0#0")
    cascade = ["SQRD#0#0#0#2#Adil", "SQRD#1#0#1#2#Adil", "SQRD#0#1#0#2#Adil", "SQRD#0#2#1#2#Adil"]
    openings = match.hear(said(*cascade, "SQRD#9#9#3#6#Adil", "SQRD#20#9#-1#-20#Élise"))
    told = [(o.name, str(o.squares[0]), len(o.squares), o.points) for o in openings]
    assert told == [("Adil", "A1", 4, 8), ("Adil", "J10", 1, 6), ("Élise", "J21", 1, -20)]


def test_the_multiplier_counts_who_is_active() -> None:
    match = joined("Adil#0#0#0#0", "Élise#0#0#0#0")
    match.hear(said("CONN#Kévin#0#0#0#0"))
    assert match.multiplier == 3
    match.hear(said("AFKP#Adil", "DECO#Élise"))
    assert match.multiplier == 1
    assert match.players["Adil"].presence is Presence.AWAY
    match.hear(said("BACK#Adil", "CONN#Élise#0#0#0#0"))
    assert match.multiplier == 3


def test_the_points_of_a_square_show_who_was_away_before_one_came() -> None:
    match = joined("Adil#0#0#0#0", "Élise#0#0#0#0", "Kévin#0#0#0#0")
    match.hear(said("SQRD#0#0#3#6#Adil"))
    assert match.multiplier == 2
    match.hear(said("SQRD#1#0#-1#-20#Adil"))
    assert match.multiplier == 2


def test_a_click_waits_until_it_is_answered() -> None:
    match = joined("Adil#0#0#0#0")
    for square in (Square(3, 10), Square(4, 10)):
        match.clicked(square)
    match.hear(said("SQRD#3#10#2#2#Adil"))
    assert match.waiting == [Square(4, 10)]
    match.hear(said("LATE"))
    assert match.waiting == []


def test_marks_stay_over_a_return_and_vanish_when_the_square_opens() -> None:
    match = joined("Adil#0#0#0#0")
    match.mark(Square(0, 0))
    match.mark(Square(1, 1))
    match.mark(Square(2, 2))
    match.mark(Square(2, 2))
    match.hear(said(*board({1: "#".join(["1"] * 30)}), *players("Adil#0#0#0#0")))
    assert match.marks == {Square(0, 0)}
    match.hear(said("SQRD#0#0#1#1#Adil"))
    assert match.marks == set()


def test_the_end_brings_results() -> None:
    match = joined("Adil#0#0#0#0", "Élise#0#0#0#0")
    match.hear(said("SCPC#Adil#70#70#3#0#BestMinesweeper", "SCPC#Élise#5#5#2#0", "ENDC#2"))
    assert match.over
    assert [p.name for p in match.ranking()] == ["Adil", "Élise"]
    assert match.results[0].honours == ("BestMinesweeper",)


def test_a_list_is_new_only_when_all_its_lines_have_come() -> None:
    lobby = Lobby()
    assert lobby.hear(said("LMNB#2", "MATC#h#1#Partie_1#0")) == set()
    assert lobby.hear(said("LANB#1", "AVAI#Adil#5")) == {"available"}
    assert lobby.hear(said("MATC#h#2#Partie_2#3#Élise#4")) == {"matches"}
    found = lobby.match_of("Élise")
    assert found is not None
    assert found.name == "Partie_2"
    assert lobby.hear(said("LMNB#0")) == {"matches"}
    assert lobby.match_of("Élise") is None
