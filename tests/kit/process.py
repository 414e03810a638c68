"""A real `tablee serve` process on free ports, to talk to, to kill and to start again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.kit.prepared import ANY_PORTS, Forked, prepared
from tests.kit.waiting import PATIENCE, wait_until

Address = tuple[str, int]
TABLEE = [str(Path(sys.executable).with_name("tablee"))]
"""The command of the shell."""


class House:
    """One server process. The data folder outlives it; ports are new at every start."""

    def __init__(self, data: Path, *options: str, descriptors: int | None = None) -> None:
        self.data = data
        self.log = data.with_suffix(".log")
        self._options = options
        self._descriptors = descriptors
        self.program: list[str] | None = None
        """The command to run; else a process that has loaded the house before becomes one."""
        self._ports_file = data.with_suffix(".ports")
        self._process: subprocess.Popen[bytes] | Forked | None = None
        self.ports: dict[str, str] = {}

    @property
    def up(self) -> bool:
        return bool(self.ports)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start and wait until it says that it is ready. Raises RuntimeError with its log if it ends."""
        self._ports_file.unlink(missing_ok=True)
        arguments = ["serve", "--data", str(self.data), *ANY_PORTS]
        arguments += ["--ports-file", str(self._ports_file), *self._options]
        environment = {**os.environ, "NO_COLOR": "1"}
        if self.program is None:
            ready_made = prepared(os.environ.get("PYTHONPATH"))
            self._process = ready_made.start(arguments, environment, self.log, self._descriptors)
        else:
            with self.log.open("ab") as log:
                self._process = subprocess.Popen(
                    [*self.program, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=environment,
                )
        wait_until(self._is_ready, "the ports file")

    def _is_ready(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise RuntimeError(f"the server ended with {self._process.returncode}:\n{self.log.read_text()}")
        try:
            self.ports = json.loads(self._ports_file.read_text())
        except (FileNotFoundError, ValueError):
            return False
        return True

    def address(self, door: str) -> Address:
        """Host and port of a door."""
        address = self.ports[door].partition("://")[2] or self.ports[door]
        host, _, port = address.partition("/")[0].rpartition(":")
        return host, int(port)

    def minehive(self) -> Address | None:
        """Where Minehive clients go, None while the house is down."""
        return self.address("minehive") if self.up else None

    def children(self) -> list[int]:
        """The processes that it has started itself."""
        found = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        if not found.exists():
            pytest.skip("this system does not list the children of a process")
        return [int(child) for child in found.read_text().split()]

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        assert self._process is not None
        self.ports = {}
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(PATIENCE)

    def stop(self) -> int:
        """Ask it to end (SIGTERM) and give its exit code."""
        assert self._process is not None
        self.ports = {}
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        """Make sure that nothing of it runs any more."""
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def log_lines(self) -> list[dict[str, Any]]:
        """The lines of the log that are JSON."""
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
