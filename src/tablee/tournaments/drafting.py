"""The next round as the format wants it: pure, with chance from the tournament's seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tablee.rules.contract import Rules
from tablee.tournaments.acts import Drafted, TournamentState
from tablee.tournaments.boards import BoardRow, entrants_of, is_struck, matches_of, standing
from tablee.tournaments.pairing.boards import Past, past_of, seat, sizes_of
from tablee.tournaments.pairing.dutch import MOST, is_here, pair_dutch
from tablee.tournaments.pairing.history import Game, History, NoPairing, Player
from tablee.tournaments.pairing.house import pair_house
from tablee.tournaments.pairing.round_robin import berger
from tablee.tournaments.standings import standings

SECONDS = 2.0
"""Processor time for a round of boards."""


def drafted(
    state: TournamentState, rules: Rules[Any], boards: Sequence[BoardRow], clock: Callable[[], float]
) -> Drafted:
    """The next round. Raises NoPairing."""
    number = state.next_round
    if state.plan.format == "knockout":
        return _knockout(state, boards, number)
    away = tuple(entry.account for entry in state.active if number in entry.away)
    present = [entry.account for entry in state.active if number not in entry.away]
    if len(present) < 2 and not (present and not state.plan.is_duel):
        raise NoPairing("Too few are there.")
    if state.plan.format == "round_robin":
        return _round_robin(state, number)
    if state.plan.format == "swiss":
        return _swiss(state, rules, boards, number, away)
    return _boards(state, rules, boards, number, present, away, clock)


def _knockout(state: TournamentState, boards: Sequence[BoardRow], number: int) -> Drafted:
    """The first game of each match; who has nobody to play goes on."""
    matches = matches_of(state, boards)[number - 1]
    pairs = [pair for each in matches if (pair := each.next_game()) is not None]
    free = [each.match.winner for each in matches if each.match.is_bye or each.walkover]
    return Drafted(number, tuple(pairs), tuple(winner for winner in free if winner is not None))


def _round_robin(state: TournamentState, number: int) -> Drafted:
    accounts = {place: account for account, place in state.numbers.items()}
    found = berger(len(accounts), number, state.plan.double)
    # Who has left after half of his games forfeits the others; who left before is struck from the table.
    playing = {entry.account for entry in state.entries.values() if not is_struck(state, entry)}
    pairs = [(accounts[white], accounts[black]) for white, black in found.pairs]
    met = tuple(pair for pair in pairs if playing.issuperset(pair))
    free = [
        account for pair in pairs if not playing.issuperset(pair) for account in pair if account in playing
    ]
    if found.bye is not None and accounts[found.bye] in playing:
        free.append(accounts[found.bye])
    return Drafted(number, met, absent=tuple(free))


def _swiss(
    state: TournamentState,
    rules: Rules[Any],
    boards: Sequence[BoardRow],
    number: int,
    away: tuple[int, ...],
) -> Drafted:
    numbers = state.numbers
    accounts = {place: account for account, place in numbers.items()}
    rounds = {
        entrant.number: {each.number: each for each in entrant.rounds}
        for entrant in entrants_of(state, rules, boards)
    }
    players = []
    for account, place in numbers.items():
        games = []
        for each in range(1, number):
            found = rounds[account].get(each)
            if found is None or not found.opponents:
                games.append(Game(0, "-", found.mark if found is not None else "Z"))  # type: ignore[arg-type]
            else:
                games.append(Game(numbers[found.opponents[0]], "wb"[found.role - 1], found.mark))  # type: ignore[arg-type]
        players.append(Player(place, 0, tuple(games)))
    active = {entry.account for entry in state.active}
    absent = {str(numbers[account]): "Z" for account in numbers if account not in active or account in away}
    apart = tuple(
        (numbers[one], numbers[other])
        for one, other in state.plan.apart
        if one in numbers and other in numbers
    )
    history = History(state.rounds, number, tuple(players), absent, apart)  # type: ignore[arg-type]
    dutch = state.plan.pairing == "dutch" and is_here() and len(history.present) <= MOST
    made = (pair_dutch if dutch else pair_house)(history)
    return Drafted(
        number,
        tuple((accounts[white], accounts[black]) for white, black in made.pairs),
        () if made.bye is None else (accounts[made.bye],),
        away,
    )


def _boards(
    state: TournamentState,
    rules: Rules[Any],
    boards: Sequence[BoardRow],
    number: int,
    present: list[int],
    away: tuple[int, ...],
    clock: Callable[[], float],
) -> Drafted:
    least, most = state.plan.board_sizes(rules)
    byes = dict.fromkeys(present, 0)
    for each in state.published:
        for account in each.byes:
            if account in byes:
                byes[account] += 1
    numbers = state.numbers
    over = len(present) % most if least == most and not state.plan.fill else 0
    out = sorted(present, key=lambda account: (byes[account], -numbers[account]))[:over]
    playing = [account for account in present if account not in out]
    rng = Random(f"{state.plan.seed}:{number}:{state.attempts.get(number, 0)}")
    by_round: dict[int, list[tuple[int, ...]]] = {}
    for board in standing(state, boards):
        by_round.setdefault(board.round, []).append(board.seats)
    past = past_of(list(by_round.values()), state.plan.apart)
    top: list[list[int]] = []
    if state.plan.top_board and number == state.rounds and number > 1 and len(playing) > most:
        lines = standings(entrants_of(state, rules, boards), state.plan.counting(rules), number - 1)
        size = most if state.plan.fill else sizes_of(len(playing), least, most)[0]
        best = [line.entrant for line in lines if line.entrant in playing][:size]
        top = seat(best, [len(best)], past, rng, SECONDS, clock, bool(rules.roles))
        playing = [account for account in playing if account not in best]
    if state.plan.fill:
        made = _filled(playing, most, past, rng, clock, bool(rules.roles))
    else:
        sizes = sizes_of(len(playing), least, most)
        made = seat(playing, sizes, past, rng, SECONDS, clock, bool(rules.roles))
    return Drafted(number, tuple(tuple(board) for board in [*top, *made]), tuple(out), away)


def _filled(
    playing: list[int], most: int, past: Past, rng: Random, clock: Callable[[], float], has_roles: bool
) -> list[list[int]]:
    """Boards as full as they can be, with robots (0) on the seats that are left, as few at each as can be."""
    robots = [-number for number in range(1, -len(playing) % most + 1)]
    among = frozenset((one, other) for one in robots for other in robots if one < other)
    sizes = [most] * (-(-len(playing) // most))
    seated = seat(
        [*playing, *robots],
        sizes,
        past._replace(apart=past.apart | among),
        rng,
        SECONDS,
        clock,
        has_roles,
    )
    return [[max(account, 0) for account in board] for board in seated]


def still_holds(state: TournamentState, boards: Sequence[BoardRow], draft: Drafted) -> bool:
    """Whether a draft is what would be drafted now: a knockout follows from results."""
    if state.plan.format != "knockout":
        return True
    again = _knockout(state, boards, draft.round)
    return (again.boards, again.byes) == (draft.boards, draft.byes)


def warnings(
    state: TournamentState, boards: Sequence[BoardRow], draft: Drafted
) -> list[tuple[str, tuple[int, ...]]]:
    """What organisers should look at before they publish: who meets again, a role or a third colour again."""
    met: set[frozenset[int]] = set()
    roles: set[tuple[int, int]] = set()
    colours: dict[int, list[int]] = {}
    for board in sorted(standing(state, boards), key=lambda each: each.round):
        for place, account in enumerate(board.seats, 1):
            if account:
                roles.add((account, place))
                colours.setdefault(account, []).append(place)
                met |= {frozenset((account, other)) for other in board.seats if other and other != account}
    found: list[tuple[str, tuple[int, ...]]] = []
    for seats in draft.boards:
        found += [
            ("rematch", (one, other))
            for index, one in enumerate(seats)
            for other in seats[index + 1 :]
            if frozenset((one, other)) in met
        ]
        for place, account in enumerate(seats, 1):
            if state.plan.is_duel:
                if colours.get(account, [])[-2:] == [place, place]:
                    found.append(("third_colour", (account,)))
            elif (account, place) in roles:
                found.append(("role_again", (account,)))
    return found
