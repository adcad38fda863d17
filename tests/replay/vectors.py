"""The record's vectors, for other verifiers: `python -m tests.replay.vectors` writes docs/vectors/.

Each is the file of the view `all`, with the line that a verifier has to name in each view; docs/vectors/README.md
says how the files of the other views follow from it.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.files import export
from replay.files.export import Record
from tests.pennants.game import GAME as PENNANTS
from tests.replay import ahead, beginnings, forged_games, many_seats, persons
from tests.replay.mutating import as_held
from tests.replay.structural import FORGERIES, HONEST
from tests.replay.untold import SEALED
from tests.replay.verifiers import HOLDS, TABLES, by_audit

FOLDER: Final = Path(__file__).parents[2] / "docs" / "vectors"
SUFFIX: Final = ".jsonl.gz"
EXAMPLE: Final = "vectors"
"""The file of the example game; those of the others bear the names of their games."""
BEGINNINGS: Final = "beginnings"
"""The file of the example game's draws and of its matches that begin otherwise."""
MANY: Final = "many_seats"
"""The file of the example game of two to four seats."""
PERSONS: Final = "persons"
"""The file of the example game's matches behind whose seats persons stand."""


AHEAD: Final = "ahead"
"""The file of the example game's answers that were signed ahead."""


def views_of(record: Record) -> dict[str, Viewer | None]:
    """Everybody who may hold a record: all, a spectator, and each seat."""
    seats = len(json.loads(record.held[0].line)[8]["seats"]) if record.game == PENNANTS.name else 2
    return {"all": None, "spectator": SPECTATOR, **{f"seat{seat}": Viewer(Seat(seat)) for seat in range(seats)}}


def verdicts(record: Record) -> dict[str, int | None]:
    """The line that is wrong in each view of a match; null: nothing is."""
    lines = {view: by_audit(as_held(record, viewer)) for view, viewer in views_of(record).items()}
    return {view: None if line == HOLDS else line for view, line in lines.items()}


def vector(name: str, record: Record) -> dict[str, Any]:
    """One vector as it is kept."""
    return {"name": name, "verdicts": verdicts(record), "file": b"".join(export.write(record)).decode()}


def made() -> Iterator[dict[str, Any]]:
    """Honest matches, then forgeries that every view shows, then forgeries that only the view of everything shows."""
    for name, match in HONEST.items():
        yield vector(f"honest: {name}", match().draft().done())
    sealed = {f"by the rules: {name}": forge for name, forge in SEALED.items()}
    for name, forge in {**FORGERIES, **sealed}.items():
        yield vector(name, forge())


def made_of(game: str) -> Iterator[dict[str, Any]]:
    """Honest and forged matches of a game that Herald has."""
    for name, record in forged_games.honest(game).items():
        yield vector(f"honest: {name}", record)
    for name, forge in forged_games.forged(game).items():
        yield vector(name, forge())


def made_of_beginnings() -> Iterator[dict[str, Any]]:
    """Draws and beginnings, honest ones and forged ones."""
    for name, honest in beginnings.HONEST.items():
        yield vector(f"honest: {name}", honest())
    for name, forge in beginnings.FORGERIES.items():
        yield vector(name, forge())


def made_of_many() -> Iterator[dict[str, Any]]:
    """Matches of three and four seats, honest ones and forged ones."""
    for name, match in many_seats.HONEST.items():
        yield vector(f"honest: {name}", match().draft().done())
    for name, forge in many_seats.FORGERIES.items():
        yield vector(name, forge())


def made_of_persons() -> Iterator[dict[str, Any]]:
    """A match with a person behind a seat, then claims that nobody may make."""
    match, _ = persons.claimed(is_over=True)
    yield vector("honest: a person behind a seat", match.record())
    for name, forge in persons.FORGERIES.items():
        yield vector(name, forge())


def made_of_ahead() -> Iterator[dict[str, Any]]:
    """A match with an answer that was signed ahead, then answers that no seat may give."""
    yield vector("honest: an answer ahead", ahead.answered(is_over=True).record())
    for name, forge in ahead.FORGERIES.items():
        yield vector(name, forge())


def pack(vectors: Iterable[dict[str, Any]]) -> bytes:
    """Vectors as JSON lines, packed."""
    rows = (json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in vectors)
    return gzip.compress("\n".join(rows).encode() + b"\n", 9, mtime=0)


def read(name: str = EXAMPLE) -> list[dict[str, Any]]:
    """The vectors that are kept in a file."""
    return [json.loads(line) for line in gzip.decompress((FOLDER / f"{name}{SUFFIX}").read_bytes()).splitlines()]


def main() -> None:
    """Write the vectors of every game, and the tables of the example games."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{EXAMPLE}{SUFFIX}").write_bytes(pack(made()))
    (FOLDER / f"{BEGINNINGS}{SUFFIX}").write_bytes(pack(made_of_beginnings()))
    (FOLDER / f"{MANY}{SUFFIX}").write_bytes(pack(made_of_many()))
    for name, table in TABLES["games"].items():
        one = json.dumps({"games": {name: table}}, separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(f"{one}\n")
    (FOLDER / f"{PERSONS}{SUFFIX}").write_bytes(pack(made_of_persons()))
    (FOLDER / f"{AHEAD}{SUFFIX}").write_bytes(pack(made_of_ahead()))
    for game in forged_games.CHOICES:
        (FOLDER / f"{game}{SUFFIX}").write_bytes(pack(made_of(game)))


if __name__ == "__main__":
    main()
