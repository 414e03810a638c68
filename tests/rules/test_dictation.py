"""Games played by lines of text: notations of their own, and the plain form that every game has."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.doors.mail.corpus.bodies import LETTERS, Letter
from tests.rules.plainly import write_plainly

from tablee.rules import GAMES
from tablee.rules.chess.model import Move, OfferDraw
from tablee.rules.contract import Action, NotRead, Rules, State, sentences
from tablee.rules.dictation import read_plainly
from tablee.rules.diplomacy.game import DiplomacyOptions, Submit

LANGUAGES = ("fr", "en")


class Game:
    """A game in which everybody plays by text."""

    def __init__(self, game: str, variant: str, options: Any = None, seats: int | None = None) -> None:
        self.rules: Rules[Any] = GAMES[game, variant]
        chosen = options or self.rules.options_type()
        number = seats or self.rules.seats(chosen).least
        self.rng = Random(5)
        self.state: State | None = None
        for fact in self.rules.setup(chosen, range(1, number + 1), 0, self.rng):
            self.state = self.rules.evolve(self.state, fact)

    def read(self, seat: int, text: str, language: str = "fr", role: int = 0) -> Action | None:
        view, legal = self.rules.view(self.state, seat), self.rules.legal(self.state, seat)
        return self.rules.read(view, legal, role, text, language)

    def play(self, seat: int, action: Action) -> None:
        for fact in self.rules.decide(self.state, seat, action, 1, self.rng):
            self.state = self.rules.evolve(self.state, fact)

    def say(self, seat: int, text: str, language: str = "fr") -> None:
        action = self.read(seat, text, language)
        assert action is not None
        self.play(seat, action)

    def written(self, seat: int, language: str = "fr") -> Any:
        return self.rules.written(self.rules.view(self.state, seat), 0, language)


@pytest.fixture
def europe() -> Game:
    """Spring of the first year; each plays the role of his seat's number."""
    return Game("diplomacy", "standard", DiplomacyOptions(deal=tuple(range(1, 8))), 7)


def france_of(game: Game) -> int:
    words = game.rules.words("fr")
    return next(role for role in range(1, 8) if words[f"role.{role}"] == "France")


def test_a_line_joins_the_orders_that_are_saved_in_the_place_of_its_units(europe: Game) -> None:
    seat = france_of(europe)
    for line in ("A PAR - PIC", "F BRE - MID", "A PAR - BUR"):
        europe.say(seat, line)
    assert europe.written(seat).given == ("F BRE - MID", "A PAR - BUR")
    assert europe.written(seat).missing == ("A MAR",)
    assert europe.written(seat).is_final is False
    assert europe.written(seat, "en").phase != europe.written(seat).phase


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: letter.lines[0])
def test_the_orders_of_the_corpus_are_those_that_are_meant(europe: Game, letter: Letter) -> None:
    seat = france_of(europe)
    for line in letter.lines:
        try:
            action = europe.read(seat, line)
        except NotRead:
            continue
        if action is not None and europe.rules.legal(europe.state, seat).allows(action):
            europe.play(seat, action)
    assert sorted(europe.written(seat).given) == sorted(letter.orders)


@pytest.mark.parametrize(
    ("said", "guess"),
    [
        ("A PRA - BUR", "A PAR - BUR"),
        ("A PAR - BRU", "A PAR - BUR"),
        ("A Paris - Bourgonge", "A PAR - BUR"),
        ("A PAR BUR", "A PAR - BUR"),
        ("A MAR S PRA - BUR", "A MAR S A PAR - BUR"),
        ("F BRE MDI", "F BRE - MID"),
        ("Bonjour à tous", ""),
        ("x" * 299, ""),
    ],
)
def test_what_cannot_be_read_is_guessed(europe: Game, said: str, guess: str) -> None:
    with pytest.raises(NotRead) as refusal:
        europe.read(france_of(europe), said)
    assert refusal.value.guess == guess
    assert refusal.value.sentence


def test_ones_own_power_alone_on_a_line_asks_for_nothing(europe: Game) -> None:
    assert europe.read(france_of(europe), "France :") is None
    assert europe.read(france_of(europe), "# une remarque") is None


def test_nobody_orders_the_units_of_another(europe: Game) -> None:
    with pytest.raises(NotRead):
        europe.read(france_of(europe), "Allemagne: A MUN - BUR")
    seat = france_of(europe)
    said = europe.read(seat, "A MUN - BUR")
    assert said is not None
    assert not europe.rules.legal(europe.state, seat).allows(said)


def test_final_makes_what_is_saved_final(europe: Game) -> None:
    seat = france_of(europe)
    europe.say(seat, "A PAR - BUR")
    view = europe.rules.view(europe.state, seat)
    (done,) = europe.rules.finishing(view, 0, True, "fr")
    assert isinstance(done, Submit)
    assert (done.final, done.meant_for, len(done.orders)) == (True, 0, 1)
    europe.play(seat, done)
    assert europe.written(seat).is_final is True


@pytest.mark.parametrize(
    ("language", "moves"),
    [
        ("fr", "e4 e5 Cf3 Cc6 Fc4 Cf6 0-0 Cxe4 Te1 d5 Fxd5 Dxd5 Cc3 Da5 Cxe4 Fe6"),
        ("en", "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Nxe4 Re1 d5 Bxd5 Qxd5 Nc3 Qa5 Nxe4 Be6"),
        ("fr", "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Nxe4 Te1 d5 Bxd5 Qxd5 Nc3 Qa5 Nxe4 Be6"),
        ("en", "1.e2-e4 e7e5 2.Nf3! nc6 3.bc4 Nf6 4.castles N:e4 5.Re1 d5 6.Bd5 Qd5: Nc3 Qa5 Ne4 Be6+"),
    ],
)
def test_moves_of_chess_are_read_in_both_languages(language: str, moves: str) -> None:
    game = Game("chess", "classic")
    for number, said in enumerate(moves.replace("d5:", "xd5").split()):
        game.say(number % 2 + 1, said, language)
    shown: Any = game.rules.view(game.state, 1)
    assert shown.ply == 16


def test_moves_of_chess_are_said_in_the_letters_of_the_reader() -> None:
    game = Game("chess", "classic")
    moves = "e4 e5 Cf3 Cc6 Fb5 Cf6 0-0 Cxe4 Te1 De7 Txe4 Rd8"
    for number, said in enumerate(moves.split()):
        game.say(number % 2 + 1, said)
    given = {language: " ".join(game.written(1, language).given) for language in LANGUAGES}
    assert given["fr"] == "4. O-O 4… Cxe4 5. Te1 5… De7 6. Txe4 6… Rd8"
    assert given["en"] == "4. O-O 4… Nxe4 5. Re1 5… Qe7 6. Rxe4 6… Kd8"
    promoted = {"is": "moved", "seat": 1, "uci": "b7a8q", "san": "bxa8=Q+", "took": ""}
    spoken = [next(sentences(game.rules, promoted, {1: "Léa"}, language)) for language in LANGUAGES]
    assert spoken == ["Léa joue bxa8=D+.", "Léa plays bxa8=Q+."]


def test_two_knights_that_may_go_there_are_told_apart() -> None:
    game = Game("chess", "classic")
    for number, said in enumerate(["Cf3", "a6", "d4", "a5"]):
        game.say(number % 2 + 1, said)
    with pytest.raises(NotRead) as refusal:
        game.read(1, "Cd2")
    assert refusal.value.guess == "b1d2"
    assert game.read(1, "Cbd2") == Move("b1d2")
    assert game.read(1, "nulle ?") == OfferDraw()


@pytest.mark.parametrize("key", GAMES, ids="/".join)
def test_every_legal_action_is_read_in_its_plain_form(key: tuple[str, str]) -> None:
    game = Game(*key, seats=max(1, GAMES[key].seats(GAMES[key].options_type()).least))
    read = 0
    for _ in range(30):
        for seat in game.rules.waiting(game.state) or {1}:
            action = game.rules.legal(game.state, seat).sample(game.rng)
            if action is None:
                continue
            text = write_plainly(action)
            if len(text) <= 300:
                read += 1
                for language in LANGUAGES:
                    words = game.rules.words(language)
                    assert read_plainly(game.rules.action_type, words, text, language) == action
            game.play(seat, action)
    assert read or not game.rules.waiting(game.state)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_action_may_be_said_by_its_sentence(language: str) -> None:
    rules = next(rules for (game, _), rules in GAMES.items() if game == "arena")
    words = rules.words(language)
    said = words["action.pass"].upper()
    assert write_plainly(read_plainly(rules.action_type, words, said, language)) == "pass"


@pytest.mark.parametrize(
    "text", ["", "{", '{"do":', "place", "place a b", "plcae 3 4", "x" * 1000, "click [[[["]
)
def test_what_is_no_action_is_refused_in_a_sentence(text: str) -> None:
    rules = GAMES["robots", "race"]
    for language in LANGUAGES:
        with pytest.raises(NotRead) as refusal:
            read_plainly(rules.action_type, rules.words(language), text, language)
        assert refusal.value.sentence
