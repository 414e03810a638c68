"""`tablee diplomacy`: check a variant, resolve a phase, list legal orders, draw a map, from files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from tablee.cli.stopping import Stop
from tablee.rules.diplomacy.atlas.checking import check_drawing
from tablee.rules.diplomacy.atlas.drawing import DrawingError
from tablee.rules.diplomacy.atlas.form import game_map, map_of
from tablee.rules.diplomacy.atlas.layout import lay_out
from tablee.rules.diplomacy.atlas.picture import Words, draw
from tablee.rules.diplomacy.atlas.reading import parse_drawing
from tablee.rules.diplomacy.document import to_document
from tablee.rules.diplomacy.explanation import explain
from tablee.rules.diplomacy.forms import write_order_form, write_situation
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import AFJD, DATC, Choices, Order, Resolution, Season, Situation, Verdict
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.notation import write_order
from tablee.rules.diplomacy.phases import active_roles, resolve
from tablee.rules.diplomacy.problem import BadProblem, Problem, read_problem
from tablee.rules.diplomacy.report import phase_name, say_reason, say_why, write_report
from tablee.rules.diplomacy.source import parse_variant
from tablee.rules.diplomacy.variant import Variant, VariantError, load_variant, variant_names

app = typer.Typer(
    no_args_is_help=True, help="Diplomacy: check a variant, resolve a phase, list legal orders, draw a map."
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ProblemFile = Annotated[Path, typer.Argument(help="Position and orders, text or JSON; - for standard input.")]
House = Annotated[str, typer.Option("--choices", help="Where two houses are both right: DATC or AFJD.")]
Language = Annotated[str, typer.Option(help="Of what is printed: fr or en.")]


@app.command("check")
def check_command(
    file: Annotated[
        str, typer.Argument(help="A variant's file, - for standard input, or the name of one of ours.")
    ],
    json: AsJson = False,
) -> None:
    """Read a variant and check that it holds together; with --json print the document's form of it."""
    try:
        ours = file in variant_names()
        variant = load_variant(file) if ours else parse_variant(_text(Path(file)), file)
    except VariantError as error:
        raise Stop(str(error)) from None
    if json:
        _print_json(to_document(variant))
        return
    typer.echo(
        f"{variant.names[1]}: {variant.regions} regions, {variant.zones - variant.regions} special coasts, "
        f"{len(variant.centres) - 1} centres, {variant.roles} powers, {len(variant.start_units)} units."
    )


@app.command("solve")
def solve_command(
    file: ProblemFile, choices: House = "DATC", language: Language = "fr", json: AsJson = False
) -> None:
    """Resolve a phase: what becomes of each order and why, and where everybody stands after it."""
    problem, house = _problem(file), _choices(choices)
    orders = _orders(problem)
    found = resolve(problem.variant, problem.advancement, problem.situation, orders, house)
    if json:
        _print_json(
            _result(problem.variant, problem.advancement, problem.situation, found, _language(language))
        )
        return
    variant, names = problem.variant, names_of(problem.variant, _language(language))
    typer.echo(phase_name(variant, problem.advancement, language))
    whys = _whys(problem, orders, house, language, found)
    for verdict, why in zip(found.verdicts, whys, strict=True):
        power = variant.powers[verdict.order.role].letter if 0 < verdict.order.role <= variant.roles else "?"
        typer.echo(f"{power} {_written(problem, verdict.order, language)} : {why}")
    typer.echo("")
    for role in range(1, variant.roles + 1):
        stand = [f"{' AF'[u.kind]} {names.zones[u.zone]}" for u in found.situation.units if u.role == role]
        out = [
            f"{' AF'[u.kind]} {names.zones[u.zone]} R" for u in found.situation.dislodged if u.role == role
        ]
        if stand or out:
            typer.echo(f"{names.roles[role]} : {', '.join([*stand, *out])}")


@app.command("legal")
def legal_command(
    file: ProblemFile,
    role: Annotated[int, typer.Option(min=0, help="Of this role only; 0: of all.")] = 0,
    language: Language = "fr",
    json: AsJson = False,
) -> None:
    """List the orders that may be given, unit by unit."""
    problem = _problem(file)
    if role > problem.variant.roles:
        raise Stop(f"This variant has {problem.variant.roles} roles.")
    found = legal_orders(problem.variant, problem.advancement, problem.situation, role or None)
    if json:
        _print_json(
            {str(zone): [write_order_form(each) for each in orders] for zone, orders in found.items()}
        )
        return
    names = names_of(problem.variant, _language(language))
    for orders in found.values():
        for order in orders:
            typer.echo(write_order(problem.variant, names, order, problem.situation, language))


@app.command("report")
def report_command(
    file: ProblemFile, choices: House = "DATC", language: Language = "fr", json: AsJson = False
) -> None:
    """Resolve a phase and print the report in the document's wording."""
    problem = _problem(file)
    found = resolve(
        problem.variant, problem.advancement, problem.situation, _orders(problem), _choices(choices)
    )
    text = _report(problem.variant, problem.advancement, problem.situation, found, _language(language))
    if json:
        _print_json({"content": text})
    else:
        typer.echo(text, nl=False)


@app.command("replay")
def replay_command(
    file: ProblemFile, choices: House = "DATC", language: Language = "fr", json: AsJson = False
) -> None:
    """Resolve phase after phase, each with the next `[orders]` of the file."""
    problem, house = _problem(file), _choices(choices)
    advancement, situation = problem.advancement, problem.situation
    results = []
    for number in range(len(problem.phases)):
        while not active_roles(problem.variant, advancement, situation):
            situation = resolve(problem.variant, advancement, situation, (), house).situation
            advancement += 1
            if not situation.units:
                raise Stop("Nobody is left on the board.")
        try:
            orders = problem.orders(number, advancement, situation)
        except BadProblem as error:
            raise Stop(f"{phase_name(problem.variant, advancement, 'en')}: {error}") from None
        found = resolve(problem.variant, advancement, situation, orders, house)
        if json:
            results.append(_result(problem.variant, advancement, situation, found, _language(language)))
        else:
            typer.echo(_report(problem.variant, advancement, situation, found, _language(language)))
        situation, advancement = found.situation, advancement + 1
    if json:
        _print_json(results)


@app.command("draw")
def draw_command(
    variant: Annotated[str, typer.Argument(help="The name of one of our variants, or a variant's file.")],
    out: Annotated[Path, typer.Option(help="Where the SVG goes; - for standard output.")] = Path("-"),
    names: Annotated[str, typer.Option(help="What is written in the regions: fr, en or codes.")] = "fr",
    position: Annotated[
        Path | None, typer.Option(help="A position, text or JSON; without it, the beginning of a game.")
    ] = None,
    drawing: Annotated[
        Path | None, typer.Option(help="A drawing of this variant that is not ours; it is checked first.")
    ] = None,
) -> None:
    """Draw the map of a variant, with a position on it, as an SVG file that stands alone."""
    if names not in ("fr", "en", "codes"):
        raise Stop(f"There are no names “{names}”: fr, en or codes.")
    words: Words = "fr" if names == "fr" else "en" if names == "en" else "codes"
    try:
        ours = variant in variant_names()
        board = load_variant(variant) if ours else parse_variant(_text(Path(variant)), variant)
        if drawing is not None:
            drawn = parse_drawing(_text(drawing), str(drawing))
            check_drawing(drawn, board)
            sheet = map_of(board, drawn)
        else:
            sheet = game_map(variant) if ours else map_of(board, lay_out(board))
    except (VariantError, DrawingError) as error:
        raise Stop(str(error)) from None
    situation = board.start()
    if position is not None:
        problem = _problem(position)
        if problem.variant.name != board.name:
            raise Stop(
                f"{position} is a position of the variant “{problem.variant.name}”, not “{board.name}”."
            )
        situation = problem.situation
    picture = draw(sheet, board, situation, words)
    if str(out) == "-":
        typer.echo(picture, nl=False)
        return
    try:
        out.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise Stop(f"{out} cannot be written: {error}.") from None


# --- reading and printing -------------------------------------------------------------------------------


def _text(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{file} cannot be read: {error}.") from None


def _problem(file: Path) -> Problem:
    try:
        return read_problem(_text(file))
    except BadProblem as error:
        raise Stop(f"{file}: {error}") from None


def _orders(problem: Problem) -> list[Order]:
    try:
        return problem.orders(0, problem.advancement, problem.situation)
    except BadProblem as error:
        raise Stop(str(error)) from None


def _choices(name: str) -> Choices:
    found = {"DATC": DATC, "AFJD": AFJD}.get(name.upper())
    if found is None:
        raise Stop(f"There are no choices “{name}”: DATC or AFJD.")
    return found


def _language(language: str) -> str:
    if language not in ("fr", "en"):
        raise Stop(f"There is no language “{language}”: fr or en.")
    return language


def _print_json(value: Any) -> None:
    typer.echo(msgspec.json.encode(value).decode())


def _written(problem: Problem, order: Order, language: str) -> str:
    names = names_of(problem.variant, language)
    return write_order(problem.variant, names, order, problem.situation, language)


def _whys(
    problem: Problem, orders: list[Order], house: Choices, language: str, found: Resolution
) -> list[str]:
    variant, situation = problem.variant, problem.situation
    names = names_of(variant, language)
    if problem.advancement % 5 in (Season.SPRING_MOVES, Season.AUTUMN_MOVES):
        explained = explain(variant, situation, orders, house)
        return [say_why(variant, names, explanation, situation, language) for explanation in explained]
    return [_outcome(verdict, language, problem) for verdict in found.verdicts]


def _outcome(verdict: Verdict, language: str, problem: Problem) -> str:
    if verdict.reason is None:
        return str(verdict.outcome)
    return f"{verdict.outcome}, {say_reason(names_of(problem.variant, language), verdict.reason, language)}"


def _report(variant: Variant, advancement: int, before: Situation, found: Resolution, language: str) -> str:
    return write_report(
        variant, advancement, before, found.verdicts, found.situation, found.destroyed, language=language
    )


def _result(
    variant: Variant, advancement: int, before: Situation, found: Resolution, language: str
) -> dict[str, Any]:
    return {
        "situation_result": write_situation(found.situation),
        "orders_result": _report(variant, advancement, before, found, language),
        "verdicts": [
            {
                "order": write_order_form(verdict.order),
                "outcome": str(verdict.outcome),
                "dislodged": verdict.dislodged,
                "paradox": verdict.paradox,
                "by_default": verdict.by_default,
                "disbanded": verdict.disbanded,
                "reason": verdict.reason.code if verdict.reason else None,
            }
            for verdict in found.verdicts
        ],
        "active_roles": list(active_roles(variant, advancement + 1, found.situation)),
    }
