"""A restore drill: a backup is restored in a temporary place, and every match in it is folded and audited there."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from domain.kernel import Game
from replay.audit.match_audit import audit
from replay.errors import RecordError
from replay.files import export
from replay.maintenance.backup import keys_of, restore
from replay.maintenance.database_check import EVERY, Progress, Unsound, quietly
from replay.record.referee import folded
from replay.record.serverkey import KeyRing
from replay.store.matches import Header
from replay.store.sqlite.store import SqliteStore

NAME: Final = "herald.db"


class Drill(Struct, frozen=True):
    """The findings of a drill.

    `choices`: the number of choices that the rules decided again; `strange`: the games that are not installed here,
    whose matches are checked without their rules; `keys`: whether the backup has the server's keys.
    """

    matches: int
    lines: int
    choices: int
    strange: tuple[str, ...]
    keys: bool
    faults: tuple[Unsound, ...]


def drill(backup: Path, games: Mapping[str, Game[Any]], progress: Progress = quietly) -> Drill:
    """Restore a backup into a temporary place, fold and audit all its matches, and delete it again.

    Raises `StoreFailed` if the backup could not be restored.
    """
    with tempfile.TemporaryDirectory(prefix="herald-drill-") as folder:
        database = Path(folder) / NAME
        found, _ = restore(backup, database)
        has_keys = keys_of(database).is_dir()
        trusted = [key.public for key in KeyRing(keys_of(database)).keys] if has_keys else []
        store = SqliteStore(database, readonly=True)
        try:
            headers, faults, choices = store.matches.latest(limit=EVERY), [], 0
            for done, header in enumerate(headers):
                progress(done, len(headers))
                try:
                    choices += _tried(store, header, games.get(header.game), trusted)
                except RecordError as wrong:
                    faults.append(Unsound(header.match, str(wrong)))
        finally:
            store.close()
    strange = tuple(sorted({header.game for header in headers} - games.keys()))
    return Drill(found.matches, found.lines, choices, strange, has_keys, tuple(faults))


def _tried(store: SqliteStore, header: Header, game: Game[Any] | None, trusted: list[bytes]) -> int:
    """Fold a match, as a server does, and audit it; the number of choices decided again. Raises `RecordError`."""
    if game is not None:
        folded(game, store.read(header.match))
    report = audit(game, export.from_store(store, header.match), trusted)
    if report.fault is not None:
        raise RecordError(str(report.fault))
    return report.choices if game is not None else 0
