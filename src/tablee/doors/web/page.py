"""The page itself: the files that the build hook has made of web/, sent from memory.

Everything with a fingerprint in its name may be kept for ever; the rest is asked for again and answered
with 304. Whatever address a browser goes to is the page too: which screen it is, the page knows.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

BUILT = Path(__file__).parent / "built_page"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Nothing from elsewhere and nothing inline; `'self'` covers the WebSocket of the same host."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
MANIFEST = "/manifest.webmanifest"
SQUEEZED_LEAST = 512
_SQUEEZED_ALREADY = (".woff2", ".png")
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
_NOT_BUILT = (
    "The page is not built. Install the package (pip install -e .), or run: python hatch_build.py\n"
    "La page n'est pas construite : installez le paquet (pip install -e .).\n"
)


class Build(msgspec.Struct, frozen=True):
    """What the build hook notes beside the files."""

    build: str
    gzipped: dict[str, int]


@dataclass(frozen=True)
class PageFile:
    """One file as it goes out, with what its headers say."""

    body: bytes
    is_squeezed: bool
    media_type: str
    tag: str
    kept: str

    @cached_property
    def squeezed(self) -> bytes:
        """Made when a browser first asks for it: a start does not wait for all files to be squeezed."""
        return gzip.compress(self.body, 9, mtime=0)

    def answer(self, request: Request) -> Response:
        headers = {"ETag": self.tag, "Cache-Control": self.kept, "Content-Security-Policy": PAGE_POLICY}
        headers["Vary"] = "Accept-Encoding"
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if self.is_squeezed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                self.squeezed, media_type=self.media_type, headers={**headers, "Content-Encoding": "gzip"}
            )
        return Response(self.body, media_type=self.media_type, headers=headers)


class Page:
    """The built page. `build` is empty where none was built. Installed, it is called like the club."""

    def __init__(self, folder: Path = BUILT, club: str = "Tablée") -> None:
        self.build = ""
        self._files: dict[str, PageFile] = {}
        if (folder / "build.json").is_file():
            self.build = msgspec.json.decode((folder / "build.json").read_bytes(), type=Build).build
            self._files = {
                "/" + file.relative_to(folder).as_posix(): _file(file)
                for file in folder.rglob("*")
                if file.is_file() and file.name != "build.json"
            }
        if MANIFEST in self._files:
            self._files[MANIFEST] = _named(self._files[MANIFEST], club)

    def answer(self, request: Request, preview: str | None = None) -> Response | None:
        """A file of the page, or the page itself where a browser goes to an address; None: not ours.

        With a `preview`, its head says more to programs that show links; these ask for anything at all.
        """
        path = request.url.path
        if request.method not in ("GET", "HEAD") or path.startswith("/api/"):
            return None
        if not self._files:
            return PlainTextResponse(_NOT_BUILT, 503) if path == "/" else None
        if file := self._files.get(path):
            return file.answer(request)
        # A file of another build must not be answered with the page in its stead.
        accepted = request.headers.get("accept", "")
        is_visit = path == "/" or "text/html" in accepted or (preview is not None and "*/*" in accepted)
        if path.startswith("/assets/") or not is_visit:
            return None
        index = self._files["/index.html"]
        return (index if preview is None else _headed(index, preview)).answer(request)


def _file(file: Path) -> PageFile:
    guessed = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    kept = FOR_EVER if file.parent.name == "assets" else ASK_AGAIN
    return _made(file.read_bytes(), guessed, kept, may_squeeze=file.suffix not in _SQUEEZED_ALREADY)


def _named(manifest: PageFile, club: str) -> PageFile:
    """The manifest of the installed page, with the name of the club."""
    said = msgspec.json.decode(manifest.body) | {"name": club, "short_name": club}
    return _made(msgspec.json.encode(said), manifest.media_type, manifest.kept, may_squeeze=True)


def _headed(index: PageFile, preview: str) -> PageFile:
    """The page with more in its head."""
    body = index.body.replace(b"</head>", preview.encode() + b"</head>", 1)
    return _made(body, index.media_type, index.kept, may_squeeze=True)


def _made(body: bytes, media_type: str, kept: str, *, may_squeeze: bool) -> PageFile:
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return PageFile(body, may_squeeze and len(body) >= SQUEEZED_LEAST, media_type, tag, kept)
