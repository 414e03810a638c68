"""Servers for the benchmarks: a house of its own on free ports, and the generator's runs against it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from bench.load import Load

STARTING = 60.0


class House:
    """A running server: where its doors are, and which process it is."""

    def __init__(self, pid: int, ports: dict[str, str]) -> None:
        self.pid = pid
        self.ports = ports
        self.host, _, port = ports["minehive"].rpartition(":")
        self.port = int(port)

    def run(self, name: str, **asked: Any) -> dict[str, Any]:
        """One run of the generator against this house."""
        return generate(Load(run=name, host=self.host, port=self.port, pid=self.pid, **asked))


@contextmanager
def house(*options: str) -> Iterator[House]:
    """`tablee serve` on an empty data folder and free ports, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="tablee-bench-") as folder:
        ports_file, log = Path(folder, "ports.json"), Path(folder, "log")
        command = [
            str(Path(sys.executable).with_name("tablee")),
            "serve",
            "--data",
            str(Path(folder, "data")),
        ]
        command += ["--port", "0", "--minehive-port", "0", "--minehive-host-port", "0", "--no-demo"]
        command += ["--pawnhub-port", "0", "--pawnhub-plain-port", "0", "--pawnhub-connections", "100000"]
        command += ["--dr2d-port", "0", "--dr2d-connections", "100000", "--dr2d-arrivals", "1000000"]
        command += ["--accounts-an-hour", "1000000", "--visitors-an-hour", "1000000"]
        command += ["--minehive-matches", "100000", "--minehive-players", "1000000"]
        command += ["--ports-file", str(ports_file), "--log-level", "warning", *options]
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        try:
            yield House(process.pid, ports_of(process, ports_file, log))
        finally:
            process.terminate()
            process.wait(30)


def ports_of(process: subprocess.Popen[bytes], ports_file: Path, log: Path) -> dict[str, str]:
    """Where the doors of a server are, once it says so. Raises RuntimeError with its log if it does not."""
    begun = time.monotonic()
    while time.monotonic() - begun < STARTING:
        if process.poll() is not None:
            raise RuntimeError(f"The server ended with {process.returncode}:\n{log.read_text()}")
        if ports_file.exists() and (text := ports_file.read_text()):
            ports: dict[str, str] = json.loads(text)
            return ports
        time.sleep(0.05)
    raise RuntimeError(f"The server was not ready after {STARTING:.0f} s:\n{log.read_text()}")


@contextmanager
def broadcaster(recording: Path) -> Iterator[Load]:
    """The bare peer with a recording, as a place to run against."""
    command = [sys.executable, "-m", "bench.broadcast", str(recording)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        yield Load(run="replayed", port=port, pid=process.pid, recording=str(recording))
    finally:
        process.terminate()
        process.wait(30)


def generate(load: Load) -> dict[str, Any]:
    """Run the generator in a process of its own and give its result."""
    command = [sys.executable, "-m", "bench.load", msgspec.json.encode(load).decode()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"The run “{load.run}” failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result
