"""Many matches at once: a result for each match of a database, or of exported files and folders of them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from rich.progress import track

from replay.errors import RecordError
from replay.files.export import created
from replay.files.reading import records_in
from replay.playback.seek import Replay
from replay.record.dealt_chance import is_held
from server.cli.common import face_of, foreign, load_replay, open_store, progress_console
from server.cli.errors import Amiss
from server.cli.words import refused, word
from server.errors import Misconfigured

T = TypeVar("T")


def read_matches(
    files: tuple[Path, ...], db: Path | None, look: Callable[[str, Replay[Any]], T], status: str | None = None
) -> Iterator[T]:
    """A result for each of many matches: of files and folders of them, or of all with a status in the database.

    `look` gets a name and the match. Shows progress. Raises `Misconfigured` with the file that does not hold.
    """
    if not files:
        store = open_store(db, must_exist=True)
        try:
            headers = store.matches.latest(status, limit=1_000_000)
            for header in track(headers, word("reading"), console=progress_console(), transient=True):
                if is_held(created(store, header.match), header):
                    continue  # a table of an event that is not closed: nobody may learn anything of it
                yield look(header.match, Replay.of_store(face_of(header.game), store, header.match))
        finally:
            store.close()
        return
    for path in track(records_in(files), word("reading"), console=progress_console(), transient=True):
        try:
            with foreign(str(path)):
                yield look(path.stem, load_replay(str(path), None))
        except (RecordError, Misconfigured) as wrong:
            raise Amiss(f"{path}: {refused(wrong)}") from wrong
