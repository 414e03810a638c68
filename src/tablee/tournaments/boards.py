"""Boards of a tournament as they were played, and what each is worth to who sat there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from tablee.rules.contract import Json, NoSuchEnd, Result, Rules, points_of, shared_places
from tablee.tournaments import knockout
from tablee.tournaments.acts import Entry, TournamentState
from tablee.tournaments.errors import words
from tablee.tournaments.knockout import Game, PlayedMatch
from tablee.tournaments.plan import WIN_DRAW, Plan
from tablee.tournaments.standings import Entrant, Part, Round

ANSWERS = {"1": "0", "0": "1", "=": "=", "+": "-"}
"""Of two marks, what the other must be; both may have forfeited."""


class BoardResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a board ended, by seat: ranks, what the game counts, what its scorings read; or marks by hand."""

    ranks: tuple[Annotated[int, Meta(ge=1, le=100)], ...] = ()
    scores: tuple[int, ...] = ()
    tally: Json = None
    marks: tuple[str, ...] = ()
    """Of two: `1 = 0`, or `+ -` where one did not play."""
    by: int = 0
    """The organiser who said so; 0: the game itself."""


class BoardRow(NamedTuple):
    """A board that was published."""

    round: int
    attempt: int
    board: int
    seats: tuple[int, ...]
    """Accounts; 0 is a robot that fills the board."""
    table_id: int | None
    result: BoardResult | None
    version: int


def row_of(number: int, board: BoardRow) -> dict[str, Any]:
    """A new board as the database keeps it."""
    return {
        "tournament_id": number,
        "round": board.round,
        "attempt": board.attempt,
        "board": board.board,
        "seats": msgspec.json.encode(board.seats).decode(),
        "table_id": board.table_id,
        "result": None if board.result is None else msgspec.json.encode(board.result).decode(),
        "version": board.version,
    }


class BadResult(ValueError):
    """A result that no board of this tournament can have: a sentence for each fault, in a language."""

    def __init__(self, said: Callable[[str], list[str]]) -> None:
        super().__init__("; ".join(said("en")))
        self.said = said


def _bad(*codes: str) -> BadResult:
    return BadResult(lambda language: [words(language)[f"result.{code}"] for code in codes])


def result_of(seats: int, result: Result) -> BoardResult | None:
    """What the end of a table says; None where nobody has won or lost there."""
    if not result.ranks:
        return None
    last = max(result.ranks.values()) + 1
    return BoardResult(
        ranks=tuple(result.ranks.get(seat, last) for seat in range(1, seats + 1)),
        scores=tuple(result.scores.get(seat, 0) for seat in range(1, seats + 1)) if result.scores else (),
        tally=None if result.tally is msgspec.UNSET else result.tally,
    )


def checked(plan: Plan, rules: Rules[Any], seats: int, given: BoardResult) -> BoardResult:
    """A result as an organiser has entered it, with the ranks that follow from a tally. Raises BadResult."""
    if plan.is_duel:
        if len(given.marks) != 2 or given.ranks or given.scores or given.tally is not None:
            raise _bad("two_marks")
        one, other = given.marks
        if given.marks != ("-", "-") and ANSWERS.get(one) != other and ANSWERS.get(other) != one:
            raise _bad("bad_marks")
        return given
    faults = ["no_marks"] if given.marks else []
    if rules.tally_type is not None and given.tally is not None:
        found = _judged(rules, seats, given.tally)
        if given.ranks and given.ranks != found.ranks:
            faults.append("other_ranks")
        if faults:
            raise _bad(*faults)
        return found
    if plan.points_of(rules) in rules.scorings:
        faults.append("needs_tally")
    elif given.tally is not None:
        faults.append("no_tally")
    ranks = given.ranks
    if len(ranks) != seats:
        faults.append("ranks_number")
    elif sorted(given.ranks) != sorted(
        1 + sum(other < rank for other in given.ranks) for rank in given.ranks
    ):
        faults.append("bad_ranks")
    if given.scores and len(given.scores) != seats:
        faults.append("scores_number")
    if plan.points_of(rules) == "points" and not given.scores:
        faults.append("needs_scores")
    if faults:
        raise _bad(*faults)
    return given


def _judged(rules: Rules[Any], seats: int, tally: Json) -> BoardResult:
    try:
        found = result_of(seats, rules.judged(tally))
    except NoSuchEnd as error:
        faults = error
        raise BadResult(lambda language: faults.said(rules.words(language))) from None
    assert found is not None
    return found


def marks_of(result: BoardResult) -> tuple[str, str]:
    """How a game for two ended, for each of them."""
    if result.marks:
        one, other = result.marks
        return one, other
    one_rank, other_rank = result.ranks
    return ("=", "=") if one_rank == other_rank else ("1", "0") if one_rank < other_rank else ("0", "1")


def _several(plan: Plan, rules: Rules[Any], board: BoardRow, result: BoardResult) -> list[Round]:
    """What a board of several is worth to each seat."""
    count, how = len(board.seats), plan.points_of(rules)
    ranks, own = result.ranks, result.scores or (0,) * count
    if how in rules.scorings:
        tally = msgspec.convert(result.tally, rules.tally_type)
        terms = [
            tuple(Part(term.name, term.points) for term in each) for each in rules.scorings[how].terms(tally)
        ]
        points = [points_of(each) for each in rules.scorings[how].terms(tally)]
    else:
        if how == "points":
            points = [Fraction(score) for score in own]
        else:
            prizes = (
                [Fraction(each) for each in plan.point_list]
                if how == "list"
                else [Fraction(100 * (count - place), max(1, count - 1)) for place in range(1, count + 1)]
            )
            if how == "places" and count == 1:
                prizes = [Fraction(100)]
            points = shared_places([-rank for rank in ranks], prizes)
        terms = [(Part(how, each),) for each in points]
    alone = ranks.count(1) == 1 and count > 2 and len(set(ranks)) == 2
    return [
        Round(
            board.round,
            board.board,
            points[seat],
            "",
            tuple(other for other in board.seats if other and other != board.seats[seat]),
            seat + 1,
            ranks[seat],
            own[seat],
            own[seat] == max(own),
            alone and ranks[seat] == 1,
            terms[seat],
        )
        for seat in range(count)
    ]


def entrants_of(state: TournamentState, rules: Rules[Any], boards: Sequence[BoardRow]) -> list[Entrant]:
    """Everybody with what he has played, as the standings want it."""
    plan = state.plan
    if plan.format == "knockout":
        return _entrants(state, _knocked_out(state, boards))
    win, draw = WIN_DRAW.get(plan.points_of(rules), WIN_DRAW["results"])
    worth = {
        "1": win, "+": win, "U": win, "=": draw, "H": draw, "0": Fraction(), "-": Fraction(), "Z": Fraction(),
    }  # fmt: skip
    found: dict[int, dict[int, Round]] = {account: {} for account in state.entries}
    for number, each in enumerate(state.published, 1):
        for account in each.byes:
            found[account][number] = (
                Round(number, 0, win, "U") if plan.is_duel else Round(number, 0, None, "B")
            )
        for account in each.absent:
            mark = "H" if plan.format == "swiss" and state.entries[account].away.get(number) else "Z"
            found[account][number] = Round(number, 0, worth[mark], mark)
    if plan.format == "swiss":
        for entry in state.entries.values():
            for number in range(1, entry.from_round):
                mark = "H" if number == 1 else "Z"  # he came late: half a point for the first round
                found[entry.account][number] = Round(number, 0, worth[mark], mark)
    struck = {entry.account for entry in state.entries.values() if is_struck(state, entry)}
    for board in standing(state, boards):
        if plan.format == "round_robin" and not struck.isdisjoint(board.seats):
            continue
        result = board.result
        if result is None:
            for seat, account in enumerate(board.seats, 1):
                others = tuple(other for other in board.seats if other and other != account)
                if account:
                    found[account][board.round] = Round(board.round, board.board, None, "", others, seat)
        elif plan.is_duel:
            for seat, (account, mark) in enumerate(zip(board.seats, marks_of(result), strict=True), 1):
                other = board.seats[2 - seat]
                found[account][board.round] = Round(
                    board.round, board.board, worth[mark], mark, (other,), seat, 1 if mark in "1+" else 2
                )
        else:
            for account, played in zip(board.seats, _several(plan, rules, board, result), strict=True):
                if account:
                    found[account][board.round] = played
    _hand_over(state, boards, found)
    return _entrants(state, found)


def _entrants(state: TournamentState, found: dict[int, dict[int, Round]]) -> list[Entrant]:
    penalties: dict[int, list[tuple[str, Fraction]]] = {}
    for penalty in state.penalties:
        penalties.setdefault(penalty.account, []).append((penalty.reason, Fraction(penalty.points)))
    return [
        Entrant(
            entry.account,
            entry.rating,
            tuple(found[entry.account][number] for number in sorted(found[entry.account])),
            tuple(penalties.get(entry.account, ())),
            entry.team,
        )
        for entry in state.entries.values()
        if not entry.waits
    ]


def _knocked_out(state: TournamentState, boards: Sequence[BoardRow]) -> dict[int, dict[int, Round]]:
    """What each round of a knockout was to everybody: a match won is a point, the third place half a one."""
    found: dict[int, dict[int, Round]] = {account: {} for account in state.entries}
    for number, row in enumerate(matches_of(state, boards)[: len(state.published)], 1):
        for each in row:
            winner, pair = each.match.winner, each.pair
            if each.match.is_bye and winner is not None:
                found[winner][number] = Round(number, 0, Fraction(1), "U")
            if len(pair) < 2:
                continue
            was_played = any(game.was_played for game in each.games)
            board = each.games[0].board if each.games else 0
            for seat, account in enumerate((each.match.upper, each.match.lower), 1):
                assert account is not None
                others = tuple(pair - {account})
                if winner is None:
                    found[account][number] = Round(number, board, None, "", others, seat)
                    continue
                won = account == winner
                mark = ("1" if won else "0") if was_played else ("+" if won else "-")
                points = each.worth if won else Fraction()
                found[account][number] = Round(number, board, points, mark, others, seat, 1 if won else 2)
    return found


def _hand_over(
    state: TournamentState, boards: Sequence[BoardRow], found: dict[int, dict[int, Round]]
) -> None:
    """What a seat is worth goes to who sat there at the end; who was paired has forfeited the round."""
    for board in standing(state, boards):
        scorers = state.published[board.round - 1].scorers
        moved: dict[int, Round] = {}
        for seat, account in enumerate(board.seats, 1):
            scorer = scorers.get(f"{board.board}.{seat}", account)
            if scorer == account or account not in found:
                continue
            played = found[account].get(board.round)
            if played is None:
                continue
            lost = None if board.result is None else Fraction()
            found[account][board.round] = played._replace(
                points=lost,
                mark="" if lost is None else "-",
                terms=(),
                rank=0,
                own=0,
                is_top=False,
                is_solo=False,
            )
            if scorer in found:
                moved[scorer] = played
        for account, played in moved.items():
            found[account][board.round] = played


def is_struck(state: TournamentState, entry: Entry) -> bool:
    """Whether somebody left a round robin so early that his games do not count."""
    return bool(entry.out_from) and 2 * (entry.out_from - 1) < state.rounds


def _stands(state: TournamentState, board: BoardRow) -> bool:
    """Whether a board belongs to a round as it is now, and not to one that was undone."""
    return board.round <= len(state.published) and state.published[board.round - 1].attempt == board.attempt


def matches_of(state: TournamentState, boards: Sequence[BoardRow]) -> list[list[PlayedMatch]]:
    """The bracket of a knockout with what was played in it."""
    games: dict[tuple[int, frozenset[int]], list[Game]] = {}
    for board in sorted(boards, key=lambda each: (each.round, each.board)):
        if _stands(state, board):
            games.setdefault((board.round, frozenset(board.seats)), []).append(_game(board))
    return knockout.matches_of(state, games)


def _game(board: BoardRow) -> Game:
    if board.result is None:
        return Game(board.board, board.seats[0], None)
    marks = marks_of(board.result)
    both_away = marks == ("-", "-")
    points = Fraction(1, 2) if both_away or marks[0] == "=" else Fraction(int(marks[0] in "1+"))
    return Game(board.board, board.seats[0], points, marks[0] in "1=0")


def standing(state: TournamentState, boards: Sequence[BoardRow]) -> list[BoardRow]:
    """The boards of the rounds as they are now; in a knockout those of matches that are still in it."""
    found = [board for board in boards if _stands(state, board)]
    if state.plan.format == "knockout":
        there = {
            (number, game.board)
            for number, row in enumerate(matches_of(state, boards), 1)
            for each in row
            for game in each.games
        }
        found = [board for board in found if (board.round, board.board) in there]
    return found


def is_closed(state: TournamentState, boards: Sequence[BoardRow]) -> bool:
    """Whether every board that stands has a result, and every match is decided."""
    if state.plan.format == "knockout" and state.published:
        matches = matches_of(state, boards)
        if not all(knockout.is_decided(each) for each in matches[len(state.published) - 1]):
            return False
    return all(board.result is not None for board in standing(state, boards))


def due_games(state: TournamentState, boards: Sequence[BoardRow]) -> list[BoardRow]:
    """Games of a knockout that should be going on and have no board yet, with the numbers they get."""
    found: list[BoardRow] = []
    if state.plan.format != "knockout" or state.status != "running":
        return found
    last = dict.fromkeys(range(1, len(state.published) + 1), 0)
    for board in boards:
        if _stands(state, board):
            last[board.round] = max(last[board.round], board.board)
    for number, pair in knockout.due(state, matches_of(state, boards)):
        last[number] += 1
        attempt = state.published[number - 1].attempt
        found.append(BoardRow(number, attempt, last[number], pair, None, None, 0))
    return found
