"""A bare endpoint that reads what it is sent and gives the same bytes: Starlette, or Flask and gunicorn.

`python -m bench.afjd_bare starlette|flask FILE` prints its port and process.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from pathlib import Path
from typing import Any

PORT_LINE = "port "


def serve_starlette(content: bytes) -> None:
    """The framework of the house, with its own server."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from tablee.wire.http.server import WebServer

    async def answer(request: Request) -> Response:
        await request.body()
        return Response(content, media_type="application/json")

    async def run() -> None:
        app = Starlette(routes=[Route("/", answer, methods=["GET", "POST"])])
        server = WebServer(app, "127.0.0.1", 0)
        print(f"{PORT_LINE}{await server.start()} {os.getpid()}", flush=True)
        await asyncio.Event().wait()

    asyncio.run(run())


def serve_flask(content: bytes) -> None:
    """The document's stack: Flask behind gunicorn, one worker with threads."""
    from flask import Flask, Response, request
    from gunicorn.app.base import BaseApplication

    app = Flask("bare")

    @app.route("/", methods=["GET", "POST"])  # type: ignore[untyped-decorator]
    def answer() -> Response:
        request.get_data()
        return Response(content, mimetype="application/json")

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    class Bare(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            chosen = {
                "bind": f"127.0.0.1:{port}",
                "workers": 1,
                "worker_class": "gthread",
                "threads": 8,
                "keepalive": 30,
                "loglevel": "error",
                "when_ready": _say_ready,
            }
            for name, value in chosen.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            return app

    def _say_ready(_: Any) -> None:
        print(f"{PORT_LINE}{port} {os.getpid()}", flush=True)

    Bare().run()


if __name__ == "__main__":
    served = Path(sys.argv[2]).read_bytes()
    (serve_flask if sys.argv[1] == "flask" else serve_starlette)(served)
