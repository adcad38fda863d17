"""The ledgers of rules (docs/rules/<game>.md) as rows: found by id, with the rows around them, or by words."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from msgspec import Struct

from projections.packages import folder_of, offer_of, offered

FOLDERS: Final = (Path(str(files("projections"))) / "rules", Path(__file__).parents[1] / "docs" / "rules")
"""The folders of ledgers: in an installed Herald, and in its repository."""
IDS: Final = re.compile(r"\b[A-Z]{2}-[A-Z]?\d{2,3}\b")
_HEADING: Final = re.compile(r"^(#{2,4}) (.+)$")
_CELL: Final = re.compile(r"(?<!\\)\|")
ID: Final = re.compile(r"^[A-Z]{2}-[A-Z]?\d{1,3}$")
"""The form of the id of a row."""
_ID: Final = re.compile(r"^([A-Z]{2}-[A-Z]?\d{2,3})(?: †)?$")


class LedgerRow(Struct, frozen=True):
    """A row: its id, the number of its section, and its cells under the words of the table's head."""

    id: str
    section: int
    cells: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The whole row on one line."""
        return " · ".join(value for _, value in self.cells if value not in {"", "-"})


class Ledger(Struct, frozen=True):
    """The rows of a game by id, in their order, and the headings of its sections."""

    game: str
    sections: tuple[str, ...]
    rows: dict[str, LedgerRow]

    def around(self, row: LedgerRow, reach: int = 3) -> list[LedgerRow]:
        """The row, with the given number of rows before and after it in its section."""
        same = [other for other in self.rows.values() if other.section == row.section]
        at = same.index(row)
        return same[max(0, at - reach) : at + reach + 1]

    def resting_on(self, id_: str) -> list[str]:
        """The rows that name this row."""
        return [row.id for row in self.rows.values() if row.id != id_ and id_ in IDS.findall(row.text)]

    def search(self, words: Iterable[str]) -> list[LedgerRow]:
        """The rows that contain all the words; rows come first if one of the words begins a word of the first cell."""
        wanted = [word.lower() for word in words]
        found = [row for row in self.rows.values() if all(word in f"{row.id} {row.text}".lower() for word in wanted)]
        return sorted(found, key=lambda row: not row.cells[0][1].lower().startswith(wanted[0]))


def ledgers() -> list[str]:
    """The names of all ledgers."""
    ours = {path.stem for folder in FOLDERS if folder.is_dir() for path in folder.glob("*.md")}
    return sorted(ours | {game for game in offered().games if has_ledger(game)})


def _path(game: str) -> Path | None:
    """The path of a game's ledger: among Herald's own, or `ledger.md` in the folder of a package's game."""
    ours = [folder / f"{game}.md" for folder in FOLDERS]
    paths = ours if offer_of(game) is None else [folder_of(game) / "ledger.md"]
    return next((path for path in paths if path.is_file()), None)


def has_ledger(game: str) -> bool:
    """Whether there is a ledger with this name."""
    return game.isidentifier() and _path(game) is not None


@cache
def ledger(game: str) -> Ledger:
    """A game's ledger. Raises `LookupError` if there is none."""
    path = _path(game) if game.isidentifier() else None
    if path is None:
        raise LookupError(f"There is no ledger of rules for {game}.")
    return read(game, path.read_text("utf-8"))


def read(game: str, text: str) -> Ledger:
    """The ledger in a document: the rows of its tables whose first cell is an id."""
    sections: list[str] = []
    rows: dict[str, LedgerRow] = {}
    head: list[str] = []
    before = ""
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            sections.append(heading[2])
        elif line.startswith("|---"):
            head = _cells(before)
        elif line.startswith("|"):
            cells = _cells(line)
            found = _ID.match(cells[0])
            if found:
                said = tuple((word, value) for word, value in zip(head[1:], cells[1:], strict=False) if value)
                rows.setdefault(found[1], LedgerRow(found[1], len(sections) - 1, said))
        before = line
    return Ledger(game, tuple(sections), rows)


def _cells(line: str) -> list[str]:
    """The cells of a row of a table, without the Markdown marks."""
    inner = _CELL.split(line.strip())[1:-1]
    return [cell.replace("\\|", "|").replace("`", "").replace("**", "").strip() for cell in inner]
