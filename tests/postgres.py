"""A PostgreSQL of the tests' own: on a free port, in a temporary folder, gone with the tests.

It refuses to run as root; for root it therefore runs as another user. Nothing is synced unless a test asks for it.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql

from replay.store.postgres.schema import bring_up_to_date
from replay.store.side_tables.people import OWN

STARTS_S: Final = 60.0
TABLES: Final = (
    *("matches", "records", "openings", "match_keys", "seats", "checkpoints", "watchers", "chat"),
    *("hooks", "calls", "attendance", "analyses", "rating_settled", "rating_results", "rating_names", "rating_seats"),
    *OWN,
    *("person_channels", "person_waits", "person_quiet", "mail_limits", "notice_keys"),
)


def program(name: str) -> str:
    """Where a program of PostgreSQL is; Debian keeps them out of the path."""
    found = shutil.which(name) or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))), "")
    assert found, f"{name} is not installed"
    return found


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _as_somebody() -> dict[str, Any]:
    """The prefix that makes a program run as another user than root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    somebody = known.get("postgres") or known["nobody"]
    return {"user": somebody.pw_uid, "group": somebody.pw_gid, "extra_groups": []}


class Instance:
    """A database server. `is_synced`: commits are on disk when they are answered, as in production.

    `settings`: further settings, as `name=value`, in place of those that suit tests.
    """

    def __init__(self, folder: Path, *, is_synced: bool = False, settings: Sequence[str] = ()) -> None:
        self.folder, self.port = folder, free_port()
        self._data, self._log = folder / "data", folder / "log"
        self._flags = [
            "-c",
            f"fsync={'on' if is_synced else 'off'}",
            "-c",
            f"full_page_writes={'on' if is_synced else 'off'}",
            *(word for setting in settings for word in ("-c", setting)),
        ]
        self._process: subprocess.Popen[bytes] | None = None
        self._somebody = _as_somebody()
        if self._somebody:
            os.chown(folder, self._somebody["user"], self._somebody["group"])
        self._run(
            "initdb", "-D", str(self._data), "-U", "herald", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"
        )

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run(
            [program(name), *arguments], capture_output=True, cwd=self.folder, check=False, **self._somebody
        )
        assert done.returncode == 0, done.stderr.decode()

    def start(self) -> None:
        """Start, or start again after `kill`; it answers by then."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [program("postgres"), "-D", str(self._data), "-p", str(self.port), "-c", "listen_addresses=127.0.0.1",
                 "-c", "unix_socket_directories=", "-c", "max_connections=60", "-c", "shared_buffers=16MB",
                 "-c", "max_wal_size=64MB", *self._flags],
                stdout=log, stderr=log, cwd=self.folder, **self._somebody,
            )  # fmt: skip
        until = time.monotonic() + STARTS_S
        while True:
            try:
                psycopg.connect(self.address(), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None, self._log.read_text()
                assert time.monotonic() < until, "it does not answer"
                time.sleep(0.02)

    @property
    def pid(self) -> int:
        """The process that starts all the others of it."""
        assert self._process is not None
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it; SIGINT cuts every connection, SIGQUIT acts like a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def restart(self) -> None:
        """Stop it, which cuts every connection, and start it again."""
        self.stop()
        self.start()

    def address(self, database: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://herald@127.0.0.1:{self.port}/{database}"

    def database(self, name: str) -> str:
        """The address of a new database without any table."""
        with psycopg.connect(self.address(), autocommit=True) as line:
            line.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            line.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.address(name)

    def emptied(self, name: str = "kept") -> str:
        """The address of a database with Herald's tables and no match; the same one each time."""
        with psycopg.connect(self.address(), autocommit=True) as line:
            is_there = line.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone()
        if not is_there:
            bring_up_to_date(self.database(name))
            return self.address(name)
        with psycopg.connect(self.address(name), autocommit=True) as line:
            line.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(map(sql.Identifier, TABLES))))
        return self.address(name)

    def dumped(self, name: str = "kept") -> str:
        """All that a database holds, as `pg_dump` writes it."""
        done = subprocess.run(
            [program("pg_dump"), "--inserts", self.address(name)], capture_output=True, check=True, **self._somebody
        )
        return str(done.stdout, "utf-8")


@contextmanager
def instance(*, is_synced: bool = False) -> Iterator[Instance]:
    """A server that runs while the context lasts."""
    with tempfile.TemporaryDirectory(prefix="herald-postgres-", ignore_cleanup_errors=True) as folder:
        made = Instance(Path(folder), is_synced=is_synced)
        made.start()
        try:
            yield made
        finally:
            made.stop(signal.SIGQUIT)
