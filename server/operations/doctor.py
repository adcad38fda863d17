"""Checks whether a machine and a database are fit to serve, and gives findings, each with its remedy."""

import glob
import os
import platform
import resource
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from projections import registry
from replay.errors import RecordError
from replay.maintenance.backup import BESIDE, keys_of
from replay.maintenance.database_check import Progress, Unsound, check_database, quietly
from replay.record.serverkey import KeyRing
from replay.store.sqlite.disk_reserve import reserve_of
from replay.store.sqlite.store import SqliteStore
from server.operations.configuration import Configuration
from server.operations.settings import Settings

Status = Literal["ok", "advice", "wrong"]
LIBRARIES: Final = ("herald", "msgspec", "websockets", "cryptography", "pynacl", "anyio")
WAL_MENDED: Final = (3, 51, 3)
"""The SQLite version from which two connections that write and move the log at once cannot corrupt a database
(docs/record.md).
"""
SYNCS: Final = 20
QUICK_MS: Final = 0.02
"""A sync faster than this shows that the disk keeps the data in memory, because no known disk is so fast."""
SLOW_MS: Final = 30.0
SPACE_WRONG: Final = 50 << 20
SPACE_LOW: Final = 1 << 30
SPARE_FILES: Final = 200
"""The number of open files in addition to the connections."""
BUILT_S: Final = 1_760_000_000
"""A time in October 2025, shortly before this module was written; a clock that shows an earlier time is wrong."""
AHEAD_S: Final = 60
SHOWN: Final = 5
"""The maximum number of unsound matches that are named."""
WRITTEN: Final = (*BESIDE, ".hooks", ".hooks.results")
"""The database files that hold secrets, by the end of their names; the sign of life and the reserve hold none."""
COPIES: Final = ("replaced-*", "schema[0-9]*")
"""The copies that `herald restore` and an upgrade leave beside a database; they hold the same secrets."""
MEMORY_DISKS: Final = frozenset({"tmpfs", "ramfs"})
FAR_DISKS: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs"})


class Finding(Struct, frozen=True):
    """A finding: the thing examined, its state, the observation, and the remedy."""

    name: str
    status: Status
    found: str
    todo: str = ""


def examine(
    database: Path, configuration: Configuration, progress: Progress = quietly, *, deep: bool = False
) -> list[Finding]:
    """Examine everything; a part of the examination that fails is also a finding."""
    parts: tuple[tuple[str, Callable[[], Iterator[Finding]]], ...] = (
        ("programs", _programs),
        ("games", _games),
        ("settings", lambda: _settings(configuration)),
        ("open files", lambda: _files(configuration.settings)),
        ("clock", _clock),
        ("permissions", lambda: _permissions(database)),
        ("disk", lambda: _disk(database)),
        ("sync", lambda: _sync(_folder(database))),
        ("server key", lambda: _keys(database)),
        ("database", lambda: _database(database, progress, deep=deep)),
    )
    found: list[Finding] = []
    for name, part in parts:
        try:
            found += part()
        except (OSError, RecordError, sqlite3.Error) as wrong:
            found.append(Finding(name, "wrong", f"could not be examined: {wrong}"))
    return found


def _programs() -> Iterator[Finding]:
    versions = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    for library in LIBRARIES:
        try:
            versions.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            versions.append(f"{library} of a checkout")
    yield Finding("programs", "ok", ", ".join(versions))
    if sqlite3.sqlite_version_info < WAL_MENDED:
        yield Finding(
            "SQLite",
            "advice",
            f"{sqlite3.sqlite_version} is older than {'.'.join(map(str, WAL_MENDED))}",
            "Herald's own programs take turns, which is safe. Do not write into the database with others while it"
            " serves: with this version two that write can corrupt it.",
        )


def _games() -> Iterator[Finding]:
    yield Finding("games", "ok", ", ".join(sorted(registry.games())))
    for each in registry.left_out():
        yield Finding("games", "wrong", str(each), "Ask who made the package, or remove it; the others are served.")


def _settings(configuration: Configuration) -> Iterator[Finding]:
    for defect in configuration.defects:
        yield Finding("settings", "wrong", str(defect), "`herald config check` names everything at once.")
    for note in configuration.notes:
        yield Finding("settings", "advice", str(note))
    if not configuration.defects:
        yield Finding("settings", "ok", f"{len(configuration.places)} beside the defaults, all of them fit")


def _files(settings: Settings) -> Iterator[Finding]:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = settings.limits.connections + settings.limits.strangers + SPARE_FILES
    if soft == resource.RLIM_INFINITY or soft >= needed:
        yield Finding("open files", "ok", f"{soft:,} may be open")
    else:
        yield Finding(
            "open files",
            "advice",
            f"{soft:,} may be open, {needed:,} are needed for as many connections as the settings allow",
            "Raise it (ulimit -n, LimitNOFILE= in the unit), or lower limits.connections and limits.strangers.",
        )


def _clock() -> Iterator[Finding]:
    now = time.time()
    told = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    if now < BUILT_S:
        yield Finding("clock", "wrong", f"it says {told}", "Set it, and keep it right with NTP.")
        return
    begun, began = time.monotonic(), time.time()
    time.sleep(0.1)
    drift_ms = abs((time.time() - began) - (time.monotonic() - begun)) * 1000
    if drift_ms > 50:
        yield Finding("clock", "advice", f"it jumped {drift_ms:.0f} ms in 100 ms", "Let NTP slew it, not step it.")
    else:
        yield Finding("clock", "ok", told)


def _folder(database: Path) -> Path:
    """The database's folder, or the nearest existing folder above it."""
    return next(folder for folder in (database.parent, *database.absolute().parents) if folder.is_dir())


def _permissions(database: Path) -> Iterator[Finding]:
    folder = _folder(database)
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Finding("permissions", "wrong", f"{folder} cannot be written into", "Give it to the user who serves.")
        return
    keys = keys_of(database)
    written = [database.with_name(database.name + suffix) for suffix in WRITTEN]
    copies = [path for kind in COPIES for path in database.parent.glob(f"{glob.escape(database.name)}.{kind}")]
    kept = [*copies, *keys.glob("*.pem")]
    found = [fault for path in written for fault in _fault_of(path, 0o600, is_written=True)]
    found += _fault_of(keys, 0o700)
    found += [fault for path in sorted(kept) for fault in _fault_of(path, 0o600)]
    yield from found
    if not found:
        yield Finding("permissions", "ok", f"{folder} can be written into, secrets are for their owner alone")


def _fault_of(path: Path, right: int, *, is_written: bool = False) -> Iterator[Finding]:
    """A finding if others may read a file with secrets, or if the server's user cannot read or write it; `right`: the
    mode.
    """
    mode = _mode(path)
    if mode is None:
        return
    todo = "Give it to the user who serves."
    if mode & 0o077:
        told = f"others may read {path} ({mode:04o}), which holds secrets"
        yield Finding("permissions", "wrong", told, f"chmod {right:o} {path}")
    elif not os.access(path, os.R_OK):
        yield Finding("permissions", "wrong", f"{path} cannot be read", todo)
    # Root can write files that their owner cannot, but a server seldom runs as root.
    elif is_written and not (mode & stat.S_IWUSR and os.access(path, os.W_OK)):
        told = f"{path} cannot be written ({mode:04o})"
        yield Finding("permissions", "wrong", told, todo if mode & stat.S_IWUSR else f"chmod {right:o} {path}")


def _mode(path: Path) -> int | None:
    """The permissions; None for a file that does not exist, because a running server can remove its log at any time."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _disk(database: Path) -> Iterator[Finding]:
    folder = _folder(database)
    free = shutil.disk_usage(folder).free
    size = sum(file.stat().st_size for file in (database, database.with_name(database.name + "-wal")) if file.exists())
    told = f"{_sized(free)} free beside a database of {_sized(size)}, its log included{_kept_back(database)}"
    if free < SPACE_WRONG:
        yield Finding("disk", "wrong", told, "Make room: a full disk refuses every choice.")
    elif free < max(SPACE_LOW, size):
        yield Finding("disk", "advice", told, "Make room, for growth and for a backup.")
    else:
        yield Finding("disk", "ok", told)
    kind = _kind_of_disk(folder)
    if kind in MEMORY_DISKS:
        yield Finding("disk", "wrong", f"{folder} is {kind}, which a power cut empties", "Keep the database on a disk.")
    elif kind in FAR_DISKS:
        yield Finding(
            "disk",
            "wrong",
            f"{folder} is {kind}",
            "SQLite's log needs a disk of this machine; move the database to one.",
        )


def _kept_back(database: Path) -> str:
    """The space that a server reserves for a full disk, as the end of a sentence; empty if there is no reserve."""
    reserve = reserve_of(database)
    return f"; {_sized(reserve.stat().st_size)} are kept back in {reserve.name}" if reserve.is_file() else ""


def _kind_of_disk(folder: Path) -> str:
    """The file system's name, if the system provides it (Linux)."""
    mounts = Path("/proc/self/mounts")
    if not mounts.is_file():
        return ""
    place, best, kind = folder.resolve(), -1, ""
    for line in mounts.read_text().splitlines():
        mounted, name = line.split()[1:3]
        # In this file, spaces are written as octal numbers (fstab(5)).
        at = Path(mounted.replace("\\040", " "))
        if place.is_relative_to(at) and len(at.parts) >= best:
            best, kind = len(at.parts), name
    return kind


def sync_ms(folder: Path) -> float:
    """The median time of writing 4 KiB to the end of a file and syncing it. Raises `OSError` if that fails."""
    times = []
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".herald-doctor-") as file:
        for _ in range(SYNCS):
            begun = time.perf_counter()
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    return sorted(times)[SYNCS // 2] * 1000


def _sync(folder: Path) -> Iterator[Finding]:
    median = sync_ms(folder)
    told = f"4 KiB are durable after {median:.2f} ms"
    if median < QUICK_MS:
        yield Finding(
            "sync",
            "advice",
            told,
            "No disk is that quick: it may keep in memory what it says is safe. Ask who runs it.",
        )
    elif median > SLOW_MS:
        yield Finding("sync", "advice", told, "Every choice waits that long; a disk of flash memory takes 1 ms.")
    else:
        yield Finding("sync", "ok", told)


def _keys(database: Path) -> Iterator[Finding]:
    folder = keys_of(database)
    if not folder.is_dir():
        yield Finding("server key", "ok", "none yet; the first start makes one")
        return
    current = KeyRing(folder).current
    yield Finding("server key", "ok", f"number {current.number}, {current.fingerprint}, signs")


def _database(database: Path, progress: Progress, *, deep: bool) -> Iterator[Finding]:
    if not database.exists():
        yield Finding("database", "ok", f"none yet at {database}; the first start makes it")
        return
    store = SqliteStore(database, readonly=True)
    try:
        sound = check_database(store, progress, deep=deep)
        broken = [fault for fault in sound.faults if not fault.match]
        last = (
            0.0 if broken else max((header.changed_ms for header in store.matches.latest(limit=1000)), default=0) / 1000
        )
    finally:
        store.close()
    if last > time.time() + AHEAD_S:
        told = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(last))
        yield Finding("clock", "wrong", f"the record goes on until {told}, which is to come", "Set the clock right.")
    for fault in broken:
        yield Finding("database", "wrong", fault.why, "Stop the server and restore a backup: herald restore FILE")
    if not broken:
        yield Finding("database", "ok", f"{database}: SQLite finds no fault in it")
        yield from _matches(sound.matches, sound.lines, [f for f in sound.faults if f.match], deep=deep)


def _matches(count: int, lines: int, faults: list[Unsound], *, deep: bool) -> Iterator[Finding]:
    for fault in faults[:SHOWN]:
        todo = f"`herald audit {fault.match[:8]}` says more; a backup may hold it whole."
        yield Finding("matches", "wrong", f"{fault.match}: {fault.why}", todo)
    if len(faults) > SHOWN:
        yield Finding("matches", "wrong", f"and {len(faults) - SHOWN:,} more")
    if not faults:
        checked = "chains, seals, dice and signatures hold" if deep else "every match holds"
        yield Finding("matches", "ok", f"{counted(count)}, {lines:,} lines: {checked}")


def counted(matches: int) -> str:
    """The number of matches, in words."""
    return "1 match" if matches == 1 else f"{matches:,} matches"


def _sized(count: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:,.0f} {unit}"
        count /= 1024
    return f"{count:,.1f} TiB"
