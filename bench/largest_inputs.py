"""What does the largest input of every route that reckons take, of the processor and of memory?

`python -m bench.largest_inputs [ROUTE]` prints the table of docs/costs.md. A house of its own answers each
route over loopback; every call has another input, so that nothing that was kept answers for it.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import tempfile
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from tests.kit.process import House

from tablee.rules.chess.boards import BOARDS
from tablee.rules.diplomacy.forms import write_situation
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.robots.boards import shipped_boards

Json = Any
CALLS = 20
WARM = 5
"""The first calls load what every later one uses."""


class Question(NamedTuple):
    """A route, its largest input in words, and that input: each time another, as large."""

    route: str
    largest: str
    body: Callable[[int], Json]
    """None is a GET."""
    is_member: bool = False
    prefix: str = ""

    @property
    def name(self) -> str:
        """`POST /afjd/solver/solve`."""
        method, _, path = self.route.partition(" ")
        return f"{method} {self.prefix}{path}"


# --- chess ----------------------------------------------------------------------------------------------

SANS = (("Nf3", "Nf6", "Ng1", "Ng8"), ("Nc3", "Nc6", "Nb1", "Nb8"))
MOVES = (("g1f3", "g8f6", "f3g1", "f6g8"), ("b1c3", "b8c6", "c3b1", "c6b8"))


def dance(number: int, steps: tuple[tuple[str, ...], tuple[str, ...]]) -> list[str]:
    """A thousand half-moves of knights that come and go, in an order of their own."""
    return [step for turn in range(250) for step in steps[(number >> turn % 16) & 1]]


# --- arenas ---------------------------------------------------------------------------------------------


def arena(number: int, squares: int) -> str:
    """A short text of a board that is as wide as it may be; a number makes it another board."""
    walker = {"name": f"Walker {number}", "number_of_movements": 1_000_000}
    described = {
        "colors": ["RED"],
        "board": {
            "number_arms": squares // 4 - number % 50,
            "arms_width": 2,
            "arms_length": 1,
            "inner_circle_colors": ["RED"],
            "arms_colors": ["RED"],
        },
        "movements_cards": {
            "number_cards_per_color": 5,
            "cards": [{**walker, "movements_type": ["diagonal", "knight"]}],
        },
        "trumps": [],
    }
    return json.dumps({"wide": described})


def step(number: int, squares: int) -> Json:
    return {"description": arena(number, squares), "card": f"Walker {number}", "color": "RED", "x": 0, "y": 0}


# --- robots ---------------------------------------------------------------------------------------------


def robot_board(number: int) -> Json:
    """A board of ours with one belt more, at another place each time."""
    board = json.loads(json.dumps(_built(shipped_boards())))
    taken = {(tile["tileLocX"], tile["tileLocY"]) for tile in board["boardActiveTiles"]}
    free = [(x, y) for x in range(1, 13) for y in range(1, 13) if (x, y) not in taken]
    kind = board["boardActiveTiles"][number // len(free) % len(board["boardActiveTiles"])]["tileType"]
    x, y = free[number % len(free)]
    board["boardActiveTiles"].append({"tileType": kind, "tileLocX": x, "tileLocY": y})
    return board


def _built(boards: Any) -> Json:
    fullest = max(boards.values(), key=lambda each: len(each.document.boardActiveTiles))
    return msgspec.to_builtins(fullest.document)


def robot_form(board: Json) -> Json:
    return {"boardActiveTiles": board["boardActiveTiles"]}


def robots_at(board: Json) -> dict[str, Json]:
    taken = {(tile["tileLocX"], tile["tileLocY"]) for tile in board["boardActiveTiles"]}
    free = [(x, y) for x in range(1, 13) for y in range(1, 13) if (x, y) not in taken][:8]
    return {str(seat): {"x": x, "y": y, "azimuth": "North"} for seat, (x, y) in enumerate(free, 1)}


def driving(number: int) -> Json:
    board = robot_board(number)
    return {
        "boards": [robot_form(robot_board(number + more)) for more in range(2)],
        "robots": robots_at(board),
    }


def suggesting(number: int) -> Json:
    first, *others = robots_at(robot_board(number)).values()
    boards = [robot_form(robot_board(number + more)) for more in range(2)]
    return {"boards": boards, "robot": first, "others": others}


# --- Diplomacy ------------------------------------------------------------------------------------------

STANDARD = load_variant("standard")


def full_board(number: int) -> Json:
    """A unit in every region, armies ashore and fleets at sea; the forbidden one differs."""
    units: dict[str, list[Json]] = {str(role): [] for role in range(1, 8)}
    for region in range(1, STANDARD.regions + 1):
        kind = 1 if STANDARD.army_next[region] else 2
        units[str(region % 7 + 1)].append([kind, region])
    return {**write_situation(STANDARD.start()), "units": units, "forbiddens": []}


def marching(number: int) -> list[list[int]]:
    """Every unit goes to the next region, in a way that differs."""
    orders = []
    for region in range(1, STANDARD.regions + 1):
        ways = STANDARD.army_next[region] or STANDARD.fleet_next[region]
        role = region % 7 + 1
        orders.append([role, 1, region, 0, ways[number % len(ways)], 0, 0])
    return orders


def position(number: int) -> Json:
    return {"advancement": 0, "situation": full_board(number)}


def lines(number: int) -> str:
    return "\n".join(f"A PAR - BUR {number} {place}" for place in range(800))


def own_variant(number: int, regions: int = 400, borders: int = 6) -> Json:
    """A board of the caller's own: coasts and seas in a ring, each beside so many others."""
    half = regions // 2

    def ring(of: range, around: int) -> dict[str, list[int]]:
        count = len(of)
        return {
            str(place): sorted(
                {of[(index + way) % count] for way in range(-around, around + 1) if way % count}
            )
            for index, place in enumerate(of)
        }

    return {
        "regions": [1] * half + [3] * half,
        "centers": list(range(1, half + 1)),
        "roles": {"number": 2},
        "start_centers": [[1], [2]],
        "type_coasts": {"number": 0},
        "coastal_zones": [],
        "start_units": [{"1": [], "2": []}, {"1": [], "2": []}],
        "year_zero": 1900 + number,
        "neighbouring": [
            ring(range(1, half + 1), borders),
            ring(range(1, 2 * half + 1), borders),
        ],
    }


def solving(number: int) -> Json:
    variant = own_variant(number)
    half = len(variant["regions"]) // 2
    situation = {
        "ownerships": {},
        "units": {
            "1": [[1, zone] for zone in range(1, half + 1)],
            "2": [[2, half + zone] for zone in range(1, half + 1)],
        },
        "dislodged_ones": {},
        "fake_units": {},
        "forbiddens": [],
    }
    orders = [[1, 1, zone, 0, zone % half + 1] for zone in range(1, half + 1)]
    return {"variant": variant, "advancement": 0, "situation": situation, "orders": orders, "role": 0}


def simulating(number: int) -> Json:
    board = full_board(number)
    return {
        "variant_name": "standard",
        "orders": [order[:5] for order in marching(number)],
        "center_ownerships": [],
        "units": [
            {"role": int(role), "type_unit": kind, "zone": zone}
            for role, units in board["units"].items()
            for kind, zone in units
        ],
    }


# --- all of them ----------------------------------------------------------------------------------------

STRANGER, MEMBER = 5_000, 100_000
API, DIPLOMACY = "/api/v1", "/games/diplomacy/{variant}"


def mines(number: int) -> Json:
    """The largest field without guessing, and as many mines as it may have then."""
    options = {"width": 60, "height": 40, "mines": 400 + number % 3, "no_guess": True}
    return {"game": "mines", "variant": "custom", "options": options}


QUESTIONS = (
    Question("POST /arena/check", "5,000 squares", lambda n: {"text": arena(n, STRANGER)}),
    Question("POST /arena/drawing", "5,000 squares", lambda n: {"description": arena(n, STRANGER)}),
    Question("POST /arena/reach", "5,000 squares, a card without end", lambda n: step(n, STRANGER)),
    Question(
        "POST /arena/check",
        "a member: one game of 100,000 squares",
        lambda n: {"text": arena(n, MEMBER)},
        is_member=True,
    ),
    Question(
        "POST /arena/drawing",
        "a member: 100,000 squares",
        lambda n: {"description": arena(n, MEMBER)},
        is_member=True,
    ),
    Question(
        "POST /arena/reach",
        "a member: 100,000 squares, a card without end",
        lambda n: step(n, MEMBER),
        is_member=True,
    ),
    Question("GET /arena/descriptions", "—", lambda n: None),
    Question("GET /robots/boards", "—", lambda n: None),
    Question("POST /robots/check", "our fullest board and three others", lambda n: {
        "board": robot_board(n), "others": [robot_board(n + more) for more in range(1, 4)],
    }),
    Question("POST /chess/games", "1,000 half-moves", lambda n: {"text": " ".join(dance(n, SANS))}),
    Question("POST /chess/analysis", "1,000 half-moves", lambda n: {
        "start": BOARDS["classic"].starting_fen, "moves": dance(n, MOVES)[:-1],
    }),
    Question("POST /robots/drive", "two boards, eight robots", driving),
    Question("POST /robots/suggest", "two boards, eight robots", suggesting),
    Question(f"GET {DIPLOMACY}/start", "the standard map", lambda n: None),
    Question(f"POST {DIPLOMACY}/reading", "a full map, 800 lines", lambda n: {
        **position(n), "text": lines(n),
    }),
    Question(f"POST {DIPLOMACY}/check", "a full map, all marching", lambda n: {
        **position(n), "orders": marching(n),
    }),
    Question(f"POST {DIPLOMACY}/legal", "a full map", position),
    Question(f"POST {DIPLOMACY}/resolution", "a full map, all marching", lambda n: {
        **position(n), "orders": marching(n),
    }),
    Question("POST /tables", "a member: a field of 60 × 40 without guessing", mines, is_member=True),
    Question(
        "POST /solver/solve", "a map of the caller's own, 400 regions, 8,000 borders", solving, prefix="/afjd"
    ),
    Question("POST /games/simulation", "a full map, all marching", simulating, prefix="/afjd"),
)  # fmt: skip
"""`GET /tables/{table_id}/analysis` is measured apart: it needs a game of chess that is over."""


class Cost(NamedTuple):
    """Of one call: seconds of processor in the mean, the most memory meanwhile, and what is kept."""

    bytes_sent: int
    seconds: float
    peak: float
    """Megabytes above what the house has at rest."""
    kept: float
    """Megabytes that each call left behind, after the first ones."""
    answers: dict[int, int]


class Talk:
    """One client of a house, over one connection."""

    def __init__(self, house: House, is_member: bool) -> None:
        self.http = http.client.HTTPConnection(*house.address("http"), timeout=300)
        self.headers = {"Content-Type": "application/json"}
        if is_member:
            member = {"pseudo": "Mesureuse", "password": "mot de passe de Mesureuse"}
            told = self.ask("POST", f"{API}/accounts", member)[1]
            self.headers["Authorization"] = f"Bearer {told['access']}"

    def ask(self, method: str, path: str, body: Json = None) -> tuple[int, Json]:
        sent = None if body is None else json.dumps(body)
        self.http.request(method, path, sent, self.headers)
        answer = self.http.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None


def resident(pid: int) -> float:
    """Megabytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor(pid: int) -> float:
    """Seconds of processor that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak(pid: int) -> float:
    """Megabytes of memory that a process has had at most."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6


def cost_of(question: Question, house: House, calls: int = CALLS, warm: int = WARM) -> Cost:
    """Ask a house so often, each time something else."""
    talk = Talk(house, question.is_member)
    method = question.route.partition(" ")[0]
    path = (question.prefix or API) + question.route.partition(" ")[2].replace("{variant}", "standard")
    answers: dict[int, int] = {}

    def ask(number: int) -> bool:
        status, _ = talk.ask(method, path, question.body(number))
        answers[status] = answers.get(status, 0) + 1
        return status != 429

    before = resident(house.pid)
    for number in range(warm):
        ask(number)
    settled, begun = resident(house.pid), processor(house.pid)
    # The rate limit ends it sooner where a question counts for many.
    done = sum(1 for _ in takewhile(ask, range(warm, warm + calls))) or 1
    seconds = (processor(house.pid) - begun) / done
    size = len(json.dumps(question.body(0))) if question.body(0) is not None else 0
    kept = (resident(house.pid) - settled) / done
    return Cost(size, seconds, peak(house.pid) - before, kept, answers)


def main() -> int:
    asked = [each for each in sys.argv[1:] if not each.startswith("--")]
    calls = 3 if "--quick" in sys.argv else CALLS
    print(
        "| route | largest input | bytes | processor, ms | memory meanwhile, MB | kept a call, MB | answers |"
    )
    print("|---|---|---|---|---|---|---|")
    for question in QUESTIONS:
        if asked and question.name not in asked:
            continue
        with tempfile.TemporaryDirectory() as folder:
            house = House(Path(folder) / "data", "--open-solver", "--no-demo")
            try:
                house.start()
                cost = cost_of(question, house, calls, warm=2 if question.is_member else WARM)
            finally:
                house.close()
        answers = ", ".join(f"{count} × {status}" for status, count in cost.answers.items())
        print(
            f"| `{question.name}` | {question.largest} | {cost.bytes_sent:,} "
            f"| {cost.seconds * 1000:.0f} | {cost.peak:.0f} | {cost.kept:.2f} | {answers} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
