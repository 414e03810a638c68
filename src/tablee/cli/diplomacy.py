"""`tablee diplomacy`: check a variant, resolve a phase, list legal orders, draw a map, from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from tablee.atlas.checking import check_drawing
from tablee.atlas.drawing import DrawingError
from tablee.atlas.form import game_map, map_of
from tablee.atlas.layout import lay_out
from tablee.atlas.picture import Words, draw
from tablee.atlas.reading import parse_drawing
from tablee.cli.papers import print_json, read_text, write_text
from tablee.cli.stopping import Stop
from tablee.rules.diplomacy.document import to_document
from tablee.rules.diplomacy.explanation import explain
from tablee.rules.diplomacy.forms import write_order_form, write_situation
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import (
    AFJD,
    DATC,
    Choices,
    Explanation,
    Order,
    Resolution,
    Season,
    Situation,
    Verdict,
)
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.phases import PHASES, active_roles, resolve
from tablee.rules.diplomacy.problem import BadProblem, Problem, read_problem
from tablee.rules.diplomacy.report import WORDS, phase_name, say_reason, say_why, write_report
from tablee.rules.diplomacy.source import parse_variant
from tablee.rules.diplomacy.variant import Variant, VariantError, load_variant, variant_names
from tablee.rules.diplomacy.writing import write_order

app = typer.Typer(
    no_args_is_help=True, help="Diplomacy: check a variant, resolve a phase, list legal orders, draw a map."
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ProblemFile = Annotated[Path, typer.Argument(help="Position and orders, text or JSON; - for standard input.")]
ChoicesOf = Annotated[str, typer.Option("--choices", help="Where two houses are both right: DATC or AFJD.")]
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
        variant = load_variant(file) if ours else parse_variant(read_text(Path(file)), file)
    except VariantError as error:
        raise Stop(str(error)) from None
    if json:
        print_json(to_document(variant))
        return
    typer.echo(
        f"{variant.names[1]}: {variant.regions} regions, {variant.zones - variant.regions} special coasts, "
        f"{len(variant.centres) - 1} centres, {variant.roles} powers, {len(variant.start_units)} units."
    )


@app.command("solve")
def solve_command(
    file: ProblemFile, choices: ChoicesOf = "DATC", language: Language = "fr", json: AsJson = False
) -> None:
    """Resolve a phase: what becomes of each order and why, and where everybody stands after it."""
    problem, house = _problem(file), _choices(choices)
    names = names_of(problem.variant, _language(language))
    solved = _solved(problem.variant, problem.advancement, problem.situation, _orders(problem), house)
    if json:
        print_json(_result(solved, language))
        return
    variant, after = solved.variant, solved.found.situation
    typer.echo(phase_name(variant, solved.advancement, language))
    for verdict, explanation in zip(solved.found.verdicts, solved.explanations, strict=True):
        power = variant.powers[verdict.order.role].letter if 0 < verdict.order.role <= variant.roles else "?"
        text = write_order(variant, names, verdict.order, solved.before, language)
        typer.echo(f"{power} {text} : {_why(solved, verdict, explanation, language)}")
    typer.echo("")
    for role in range(1, variant.roles + 1):
        stand = [f"{' AF'[unit.kind]} {names.zones[unit.zone]}" for unit in after.units if unit.role == role]
        stand += [
            f"{' AF'[unit.kind]} {names.zones[unit.zone]} R" for unit in after.dislodged if unit.role == role
        ]
        if stand:
            typer.echo(f"{names.roles[role]} : {', '.join(stand)}")


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
        print_json({str(zone): [write_order_form(each) for each in orders] for zone, orders in found.items()})
        return
    names = names_of(problem.variant, _language(language))
    for orders in found.values():
        for order in orders:
            typer.echo(write_order(problem.variant, names, order, problem.situation, language))


@app.command("report")
def report_command(
    file: ProblemFile, choices: ChoicesOf = "DATC", language: Language = "fr", json: AsJson = False
) -> None:
    """Resolve a phase and print the report in the document's wording."""
    problem, house = _problem(file), _choices(choices)
    solved = _solved(problem.variant, problem.advancement, problem.situation, _orders(problem), house)
    text = _report(solved, _language(language))
    if json:
        print_json({"content": text})
    else:
        typer.echo(text, nl=False)


@app.command("replay")
def replay_command(
    file: ProblemFile, choices: ChoicesOf = "DATC", language: Language = "fr", json: AsJson = False
) -> None:
    """Resolve phase after phase, each with the next `[orders]` of the file."""
    problem, house = _problem(file), _choices(choices)
    variant, advancement, situation = problem.variant, problem.advancement, problem.situation
    results = []
    for number in range(len(problem.phases)):
        for _ in range(PHASES):
            if active_roles(variant, advancement, situation):
                break
            situation = resolve(variant, advancement, situation, (), house).situation
            advancement += 1
        else:
            raise Stop("Nobody is left on the board.")
        try:
            orders = problem.orders(number, advancement, situation)
        except BadProblem as error:
            raise Stop(f"{phase_name(variant, advancement, 'en')}: {error}") from None
        solved = _solved(variant, advancement, situation, orders, house)
        if json:
            results.append(_result(solved, _language(language)))
        else:
            typer.echo(_report(solved, _language(language)))
        situation, advancement = solved.found.situation, advancement + 1
    if json:
        print_json(results)


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
        board = load_variant(variant) if ours else parse_variant(read_text(Path(variant)), variant)
        if drawing is not None:
            drawn = parse_drawing(read_text(drawing), str(drawing))
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
    write_text(out, picture)


# --- reading and printing -------------------------------------------------------------------------------


def _problem(file: Path) -> Problem:
    try:
        return read_problem(read_text(file))
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


class _Solved(NamedTuple):
    """A phase, its orders and what they came to."""

    variant: Variant
    advancement: int
    before: Situation
    found: Resolution
    explanations: Sequence[Explanation | None]
    """One a verdict; there are none for retreats and adjustments, whose verdicts say it all."""


def _solved(
    variant: Variant, advancement: int, before: Situation, orders: list[Order], house: Choices
) -> _Solved:
    found = resolve(variant, advancement, before, orders, house)
    moves = advancement % PHASES in (Season.SPRING_MOVES, Season.AUTUMN_MOVES)
    explained = explain(variant, before, orders, house) if moves else [None] * len(found.verdicts)
    return _Solved(variant, advancement, before, found, explained)


def _why(solved: _Solved, verdict: Verdict, explanation: Explanation | None, language: str) -> str:
    names = names_of(solved.variant, language)
    if explanation is not None:
        return say_why(solved.variant, names, explanation, solved.before, language)
    said = [WORDS[language][f"outcome.{verdict.outcome}"]]
    if verdict.reason is not None:
        said.append(say_reason(names, verdict.reason, language))
    if verdict.disbanded:
        said.append(WORDS[language]["outcome.off"])
    return ", ".join(said)


def _report(solved: _Solved, language: str) -> str:
    found = solved.found
    return write_report(
        solved.variant,
        solved.advancement,
        solved.before,
        found.verdicts,
        found.situation,
        found.destroyed,
        language=language,
    )


def _result(solved: _Solved, language: str) -> dict[str, Any]:
    after = solved.found.situation
    return {
        "situation_result": write_situation(after),
        "orders_result": _report(solved, language),
        "verdicts": [
            {
                "order": write_order_form(verdict.order),
                "outcome": str(verdict.outcome),
                "dislodged": verdict.dislodged,
                "paradox": verdict.paradox,
                "by_default": verdict.by_default,
                "disbanded": verdict.disbanded,
                "reason": verdict.reason.code if verdict.reason else None,
                "why": _why(solved, verdict, explanation, language),
                "explanation": _explanation_form(explanation),
            }
            for verdict, explanation in zip(solved.found.verdicts, solved.explanations, strict=True)
        ],
        "active_roles": list(active_roles(solved.variant, solved.advancement + 1, after)),
    }


def _explanation_form(explanation: Explanation | None) -> dict[str, Any] | None:
    if explanation is None:
        return None
    return {
        "code": explanation.code,
        "numbers": dict(explanation.numbers),
        "orders": {name: list(map(write_order_form, orders)) for name, orders in explanation.orders.items()},
    }
