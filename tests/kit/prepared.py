"""Houses without the wait for their imports: a process that has been a house once forks into each of them.

As a script it is that process. It takes orders as lines of JSON and ends, with every house of its own, when
nobody is left to give them.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any

ANY_PORTS = tuple(
    word
    for door in ("", "minehive-", "minehive-host-", "pawnhub-", "pawnhub-plain-", "dr2d-")
    for word in (f"--{door}port", "0")
)
"""Options for a house whose every door takes a free port, so that another house may be open beside it."""


class Forked:
    """One house as the process that it is, with what `subprocess.Popen` offers for one."""

    def __init__(self, prepared: Prepared, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._prepared = prepared

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._prepared.order(ended=self.pid)
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Its exit code, that of a signal negative; raises subprocess.TimeoutExpired."""
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.01)
        return code

    def send_signal(self, which: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, which)


class Prepared:
    """The process that becomes houses, as the one who gives it orders sees it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        ours, its = socket.socketpair()
        with its:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(its.fileno())], pass_fds=[its.fileno()]
            )
        self._socket = ours
        self._answers = ours.makefile("r")
        atexit.register(self.close)

    def start(
        self, arguments: list[str], environment: dict[str, str], log: Path, descriptors: int | None = None
    ) -> Forked:
        """A process that runs `tablee` with these arguments; it writes to `log`."""
        pid = self.order(arguments=arguments, environment=environment, log=str(log), descriptors=descriptors)
        assert pid is not None
        return Forked(self, pid)

    def order(self, **order: Any) -> int | None:
        with self._turn:
            self._socket.sendall(json.dumps(order).encode() + b"\n")
            answer: int | None = json.loads(self._answers.readline())
            return answer

    def close(self) -> None:
        self._answers.close()
        self._socket.close()
        self._process.wait()


@cache
def prepared(path: str | None) -> Prepared:
    """The one of this process, for each PYTHONPATH: what is found on it is loaded beforehand."""
    return Prepared()


def _take_orders(orders: socket.socket) -> dict[str, Any]:
    """Give the order to start a house, in its own process; what gives the orders is never left."""
    houses: set[int] = set()
    for line in orders.makefile("r"):
        order = json.loads(line)
        answer: int | None
        if "ended" in order:
            pid, status = os.waitpid(order["ended"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
            houses.discard(pid)
        else:
            answer = os.fork()
            if answer == 0:
                started: dict[str, Any] = order
                return started
            houses.add(answer)
        orders.sendall(json.dumps(answer).encode() + b"\n")
    for pid in houses:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    os._exit(0)


def _rehearse() -> None:
    """Open a house and end it: what is imported, compiled and looked up on the way serves all later ones."""
    with tempfile.TemporaryDirectory(prefix="tablee-rehearsal-") as folder:
        ports = Path(folder, "ports")

        def end() -> None:
            while not ports.exists():
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGTERM)

        ending = threading.Thread(target=end, daemon=True)
        ending.start()
        sys.argv = ["tablee", "serve", "--data", f"{folder}/data", "--ports-file", str(ports), *ANY_PORTS]
        sys.argv += ["--log-level", "error"]
        with redirect_stdout(io.StringIO()), suppress(SystemExit):
            main()
        ending.join()


def _become(order: dict[str, Any]) -> None:
    """What `Popen` would have done for a new program."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    for number, file in enumerate((nothing, log, log)):
        os.dup2(file, number)
    os.environ.clear()
    os.environ.update(order["environment"])
    if order["descriptors"] is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (order["descriptors"], order["descriptors"]))
    sys.argv = [str(Path(sys.executable).with_name("tablee")), *order["arguments"]]


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file, which a command does not see
    from tablee.cli import main, serve  # noqa: F401  # all that a house is made of

    descriptor = int(sys.argv[1])
    _rehearse()
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=descriptor) as orders:
        order = _take_orders(orders)
    _become(order)
    main()
