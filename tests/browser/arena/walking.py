"""Walking in the arena in a browser: tables, what the house shows a player, and the way home."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect
from tests.browser.people import ask, lay_table

from tablee.rules.arena.ground import ground_of

Json = Any


def make_table(page: Page, variant: str, *robots: str, **more: Any) -> int:
    """A table of one's own; `more` are its terms, `options` among them."""
    # Without a time limit a slow machine loses nothing.
    terms = {"seats": len(robots) + 1, "time_control": {"kind": "none"}, **more}
    return lay_table(page, game="arena", variant=variant, robots=robots, **terms)


def seen(page: Page, table: int) -> Json:
    """What the house shows whoever this browser is: the view, and what is legal."""
    return ask(page, "GET", f"/tables/{table}/view")


class Walk(NamedTuple):
    """A card and where to go with it."""

    card: str
    color: str
    square: str


def way_home(view: Json, legal: Json) -> Walk | None:
    """The card and the square that leave the fewest steps; None where no card leads anywhere."""
    ground = ground_of(view["description"])
    arm = view["players"][str(view["you"])]["arm"]
    found = [
        (ground.steps_home(arm, y * ground.board.W + x), Walk(card["card"], card["color"], square))
        for card in legal["play"]
        for square in card["reach"]
        for x, y in (map(int, square.split(",")),)
    ]
    return min(found)[1] if found else None


def some_action(view: Json, legal: Json) -> Json:
    """What somebody in the arena does: a trump where there is one to play, else the shortest way home."""
    if "choose_hero" in legal:
        return {"do": "choose_hero", "hero": legal["choose_hero"][0]}
    if "push" in legal:
        return {"do": "skip_push"}
    for trump in legal["play_trump"]:
        aims = {"target": trump["targets"][0]} if trump["targets"] else {}
        return {"do": "play_trump", "trump": trump["trump"], **aims}
    walk = way_home(view, legal)
    if walk is None:
        return {"do": "pass"}
    x, y = map(int, walk.square.split(","))
    return {"do": "play", "card": walk.card, "color": walk.color, "x": x, "y": y}


def head(page: Page) -> Locator:
    return page.locator("[data-round]")


def card(page: Page, walk: Walk) -> Locator:
    return page.locator(f'[data-card="{walk.card}"][data-color="{walk.color}"]').first


def square(page: Page, key: str) -> Locator:
    return page.locator(f'[data-lit="{key}"]')


_TURN = """() => {
    const head = document.querySelector('[data-round]');
    if (document.querySelector('[data-over]')) return 'over';
    if (!head || head.dataset.mine === undefined) return '';
    const gauge = document.querySelector('[data-gauge]')?.dataset.gauge;
    const pushes = Boolean(document.querySelector('[data-skip]'));
    return [head.dataset.round, head.dataset.moves, gauge, pushes].join(' ');
}"""


def expect_turn(page: Page, before: str = "") -> str:
    """Wait until one may play (again), or the game is over; gives back how it looks, for the next."""
    page.wait_for_function(
        f"(before) => {{ const now = ({_TURN})(); return now && now !== before; }}", arg=before
    )
    return str(page.evaluate(f"({_TURN})()"))


Move = Callable[[Page, Walk], None]
Press = Callable[[Locator], None]


def walk_home(page: Page, table: int, move: Move, press: Press) -> int:
    """Play to the end with whatever hand, the shortest way, nobody pushed; gives back the number of moves."""
    moves, turn = 0, ""
    while (turn := expect_turn(page, turn)) != "over":
        assert moves < 100, "The game has no end."
        moves += 1
        now = seen(page, table)
        if "push" in now["legal"]:
            press(page.locator("[data-skip]"))
        elif (walk := way_home(now["view"], now["legal"])) is not None:
            move(page, walk)
        else:
            press(page.locator("[data-pass]"))
            press(page.locator("[data-pass-now]"))
    return moves


def expect_over(page: Page) -> None:
    expect(page.locator("[data-over]")).to_be_attached()
    expect(page.get_by_role("region", name="Résultat")).to_be_visible()
    expect(page.locator("[data-player][data-rank='1']")).to_have_count(1)
