"""The page as the house sends it: files, addresses, headers, and the types it is written against."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from PIL import Image

from tablee.doors.web.api.application import application
from tablee.doors.web.page import BUILT, PAGE_POLICY, Page
from tablee.doors.web.typescript import written_types
from tablee.rules import GAMES
from tablee.tables import NoSuchTable

ROOT = Path(__file__).parents[3]
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small page, as the build hook would leave it."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/index-abc123.js").write_text("console.log(1);\n" * 100)
    (tmp_path / "index.html").write_text("<!doctype html><title>Tablée</title>")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path / "build.json").write_text(json.dumps({"build": "abc", "gzipped": {}}))
    return tmp_path


def client(page: Page | None) -> httpx.AsyncClient:
    app = application(_NoHouse(), [], page=page)  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://house")


class _NoHouse:
    """The page asks whether there is a table, to show a link to it; refusals ask for their words."""

    def __init__(self) -> None:
        self.tables = self.club = self
        self.home = ""

    async def info(self, table_id: int) -> object:
        raise NoSuchTable(table=table_id)

    def shown(self, error: Exception, language: str, where: str) -> object:
        from tablee.doors.web.api.errors import Refusal, shown

        assert isinstance(error, Refusal)
        return shown(error.code, language, error.parts)


async def test_every_address_that_a_browser_goes_to_is_the_page(folder: Path) -> None:
    async with client(Page(folder)) as house:
        for path in ("/", "/lobby", "/tables/12", "/players/jean.dupont"):
            answer = await house.get(path, headers=BROWSER)
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/html")
            assert answer.headers["content-security-policy"] == PAGE_POLICY
            assert answer.headers["cache-control"] == "no-cache"


async def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    assert "unsafe" not in PAGE_POLICY
    assert "http" not in PAGE_POLICY
    assert "default-src 'none'" in PAGE_POLICY


async def test_a_program_at_a_wrong_address_gets_a_refusal_and_not_the_page(folder: Path) -> None:
    async with client(Page(folder)) as house:
        for path, headers in (("/nothing", {}), ("/api/v1/nothing", BROWSER), ("/assets/old-1.js", BROWSER)):
            answer = await house.get(path, headers=headers)
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] == "no_such_route"
        assert (await house.post("/lobby", headers=BROWSER)).status_code == 404


async def test_files_with_a_fingerprint_are_kept_for_ever_and_squeezed(folder: Path) -> None:
    async with client(Page(folder)) as house:
        answer = await house.get("/assets/index-abc123.js")
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
        assert answer.text == "console.log(1);\n" * 100
        plain = await house.get("/assets/index-abc123.js", headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.text == answer.text


async def test_what_a_browser_has_already_is_not_sent_again(folder: Path) -> None:
    async with client(Page(folder)) as house:
        first = await house.get("/icon.svg")
        again = await house.get("/icon.svg", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_no_path_leads_out_of_the_page(folder: Path) -> None:
    (folder.parent / "secret.txt").write_text("secret")
    async with client(Page(folder)) as house:
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/build.json"):
            answer = await house.get(path)
            assert "secret" not in answer.text
            assert answer.status_code == 404


async def test_a_house_without_a_built_page_says_how_to_build_it(tmp_path: Path) -> None:
    async with client(Page(tmp_path)) as house:
        answer = await house.get("/", headers=BROWSER)
        assert answer.status_code == 503
        assert "hatch_build.py" in answer.text


async def test_the_installed_page_is_called_like_the_club(folder: Path) -> None:
    (folder / "manifest.webmanifest").write_text(json.dumps({"name": "Tablée", "display": "standalone"}))
    async with client(Page(folder, "Les Pions d’« Argent »")) as house:
        answer = await house.get("/manifest.webmanifest")
        assert answer.headers["content-type"].startswith("application/manifest+json")
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.json() == {
            "name": "Les Pions d’« Argent »",
            "short_name": "Les Pions d’« Argent »",
            "display": "standalone",
        }


async def test_what_shows_notifications_is_asked_for_again_and_may_run_and_call_the_house_only() -> None:
    async with client(Page()) as house:
        answer = await house.get("/worker.js")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "no-cache"
        assert "worker-src 'self'" in answer.headers["content-security-policy"]
        assert "connect-src 'self'" in answer.headers["content-security-policy"]
        assert "'fetch'" not in answer.text, "the page always comes from the house"
        assert "caches" not in answer.text


async def test_the_manifest_names_icons_that_are_there_in_the_sizes_that_it_says() -> None:
    async with client(Page()) as house:
        manifest = (await house.get("/manifest.webmanifest")).json()
        drawn = {icon["src"]: icon for icon in manifest["icons"] if icon["type"] == "image/png"}
        assert {icon["sizes"] for icon in drawn.values()} == {"192x192", "512x512"}
        assert [icon.get("purpose") for icon in drawn.values()].count("maskable") == 1
        sizes = {src: icon["sizes"] for src, icon in drawn.items()} | {"/apple-touch-icon.png": "180x180"}
        for src, size in sizes.items():
            answer = await house.get(src)
            assert answer.headers["content-type"] == "image/png"
            picture = Image.open(BytesIO(answer.content))
            assert f"{picture.width}x{picture.height}" == size
        assert (
            'rel="apple-touch-icon" href="/apple-touch-icon.png"'
            in (await house.get("/", headers=BROWSER)).text
        )


def test_the_types_of_the_page_are_those_of_the_house() -> None:
    files = written_types(ROOT / "web/src")
    assert {file.parent.name for file in files} == {"house"} | {rules.name for rules in GAMES.values()}
    for file, text in files.items():
        assert file.read_text(encoding="utf-8") == text, (
            f"the shapes of {file.parent.name} have changed: run `make types`"
        )


def test_the_built_page_is_small_enough_and_loads_games_on_demand() -> None:
    build = json.loads((BUILT / "build.json").read_text())
    index = (BUILT / "index.html").read_text()
    first = [name for name in build["gzipped"] if name in index or name == "index.html"]
    fonts = [name for name in build["gzipped"] if "latin-wght-normal" in name]
    assert len(first) >= 3
    weight = sum(build["gzipped"][name] for name in {*first, *fonts})
    assert weight <= 150_000, f"the shell weighs {weight} bytes"
    scripts = [name for name in build["gzipped"] if name.endswith(".js")]
    assert len(scripts) > 10


def test_the_built_page_has_no_inline_script_and_no_address_of_another_house() -> None:
    index = (BUILT / "index.html").read_text()
    assert "<script>" not in index
    assert "style=" not in index
    assert "http://" not in index
    assert "https://" not in index


async def test_a_door_without_a_page_says_where_the_api_is() -> None:
    async with client(None) as house:
        assert (await house.get("/")).json()["api"] == "/api/v1/"
