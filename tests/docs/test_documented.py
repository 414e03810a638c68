"""Nothing is there that is not documented, and nothing is documented that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import typer

from tablee.cli import app
from tablee.cli.settings import STORE
from tablee.config import all_settings

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
COMMON = {"help", "config", *STORE}
"""Options that `docs/commands.md` explains once for all commands."""


def commands(command: Any = None, path: tuple[str, ...] = ("tablee",)) -> Iterator[tuple[str, Any]]:
    """Every command and group with its full name."""
    command = command or typer.main.get_command(app)
    yield " ".join(path), command
    if hasattr(command, "list_commands"):
        context = command.context_class(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))


def options(command: Any) -> set[str]:
    """The long options of a command."""
    return {
        option
        for parameter in command.params
        if parameter.name not in COMMON
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--")
    }


def section(page: str, title: str) -> str | None:
    """The text under a heading, up to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(title)}$(.*?)(?=^#|\Z)", page, re.M | re.S)
    return found[1] if found else None


def anchors(page: Path) -> set[str]:
    """What links to headings of a page may name."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def links(page: Path) -> Iterator[str]:
    """Every link of a page, outside of its code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    yield from re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text))


def broken(page: Path, link: str) -> bool:
    """Whether a link of a page leads nowhere within the repository; addresses elsewhere are not asked."""
    if re.match(r"[a-z]+:", link):
        return False
    path, _, anchor = unquote(link).partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return True
    return bool(anchor) and (target.suffix != ".md" or anchor not in anchors(target))


@pytest.mark.parametrize(("name", "command"), [pytest.param(n, c, id=n) for n, c in commands()])
def test_every_command_and_option_is_documented(name: str, command: Any) -> None:
    text = section((ROOT / "docs/commands.md").read_text(), name)
    assert text is not None, f"docs/commands.md has no heading “{name}”"
    known = {setting.option for setting in all_settings()}
    known |= {f"--no-{setting.option[2:]}" for setting in all_settings()}
    documented_elsewhere = known if name == "tablee serve" else set()
    missing = [o for o in sorted(options(command) - documented_elsewhere) if f"`{o}" not in text]
    assert missing == []


def test_every_command_has_a_sentence_of_help() -> None:
    assert [name for name, command in commands() if not (command.help or "").strip()] == []
    without = [
        f"{name} {parameter.name}"
        for name, command in commands()
        for parameter in command.params
        if not getattr(parameter, "help", None)
    ]
    assert without == []


def test_no_command_is_documented_that_does_not_exist() -> None:
    titles = re.findall(r"^#+ (tablee.*)$", (ROOT / "docs/commands.md").read_text(), re.M)
    assert set(titles) == {name for name, _ in commands()}


def test_every_setting_is_documented_with_its_option_variable_default_and_sentence() -> None:
    page = (ROOT / "docs/settings.md").read_text()
    for setting in all_settings():
        row = next((line for line in page.splitlines() if line.startswith(f"| `{setting.name}` |")), None)
        assert row is not None, setting.name
        assert f"`{setting.option}`" in row
        assert f"`{setting.variable}`" in row
        assert setting.help in row
        default = str(setting.default).lower() if setting.kind is bool else str(setting.default)
        assert (f"`{default}`" if default else "| — |") in row


def test_no_setting_is_documented_that_does_not_exist() -> None:
    named = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/settings.md").read_text(), re.M)
    assert sorted(named) == sorted(setting.name for setting in all_settings())


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_link_leads_somewhere(page: Path) -> None:
    assert [link for link in links(page) if broken(page, link)] == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Here we are\n[a](nowhere.md) [b](#here-we-are) [c](#elsewhere) [d](https://example.org)\n"
    )
    assert [link for link in links(page) if broken(page, link)] == ["nowhere.md", "#elsewhere"]


def test_the_commands_of_the_readme_exist() -> None:
    readme = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"\bmake (\w+)", readme)) <= targets
    known = {name.split()[1] for name, _ in commands() if " " in name}
    used = set(re.findall(r"\btablee (\w+)", " ".join(re.findall(r"`[^`]+`|^\S*tablee .*$", readme, re.M))))
    assert used
    assert used <= known


def test_every_page_is_reached_from_the_readme() -> None:
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in reached:
            continue
        reached.add(page)
        for link in links(page):
            target = (page.parent / unquote(link).partition("#")[0]).resolve()
            if target.suffix == ".md" and target.exists():
                ahead.append(target)
    assert [str(page.relative_to(ROOT)) for page in PAGES if page not in reached] == []
