"""Decisions of records as a data set: view, options, choice and result, one row a decision, as Parquet, with a card."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct, field

from domain.kernel import Asked, Chosen, Hidden, Mask, MatchCreated, MatchEnded, Result
from domain.kernel.history import seats_in
from domain.kernel.position import OF_THE_RECORD
from domain.kernel.state import plain
from projections.face import Face
from replay.playback.seek import Replay
from server.research.composing import WIDTH

CARD: Final = ".md"
"""The end of the card's file name; the rest is the file's."""
PORTION: Final = 2_000
"""The number of rows that are written at once."""
COLUMNS: Final = {
    "match": (pa.string(), "the match, an id of its own"),
    "game": (pa.string(), "the game"),
    "rules": (pa.string(), "the version of its rules by which the record was read"),
    "line": (pa.int32(), "the line of the record that holds the choice, from 1"),
    "seat": (pa.int8(), "who chose, from 0"),
    "seats": (pa.int8(), "how many seats the match has"),
    "by": (pa.string(), "seat: a person or a program; bot; clock; rules"),
    "kind": (pa.string(), "what was asked"),
    "terms": (pa.string(), "the question's public facts, JSON"),
    "view": (pa.string(), 'the table as that seat knew it, JSON; what it did not know is {"is":"hidden"}'),
    "form": (pa.string(), "One, Open, Pick, Assign or Formation"),
    "count": (pa.int32(), f"how many choices there were; -1 for more than {WIDTH}"),
    "options": (pa.string(), f"these choices, JSON; null where there were more than {WIDTH}"),
    "choice": (pa.string(), "what was chosen, JSON"),
    "number": (pa.int32(), "which of the options that is, from 0; -1 where it is none of those listed"),
    "outcome": (pa.float32(), "what came of the match for this seat: 1 won, -1 lost, 0 drawn"),
    "reason": (pa.string(), "how the match ended"),
}
"""Each column, its type and its content."""
SCHEMA: Final = pa.schema([(name, kind) for name, (kind, _) in COLUMNS.items()])
LEFT_OUT: Final = OF_THE_RECORD | {"stack"}
"""Fields of a view that concern the record, names of players among them, and not the table."""
Row = dict[str, Any]


class DatasetTally(Struct):
    """The result of writing."""

    rows: int = 0
    matches: int = 0
    skipped: int = 0
    games: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    by: Counter[str] = field(default_factory=Counter)


def rows_of(match: str, replay: Replay[Any]) -> Iterator[Row]:
    """The decisions of a finished match, in order; none of a match under way, whose secrets are not yet open to
    everybody, and no choice that is not open.

    A choice that was taken back is a decision like any other.
    """
    face, game, events = replay.face, replay.game, replay.events
    ended = next((event.result for event in reversed(events) if isinstance(event, MatchEnded)), None)
    created = events[0]
    is_open = isinstance(created, MatchCreated) and created.reveal == "public"
    if ended is None or ended.reason.startswith("void") or not is_open:
        return
    views = [game.view(events[:1], Mask(1 << seat)) for seat in range(seats_in(events))]
    shared = {"match": match, "game": game.name, "rules": game.rules, "seats": len(views)}
    for line, event in enumerate(events[1:], 2):
        if isinstance(event, Chosen) and not isinstance(event.choice, Hidden):
            view = views[event.seat]
            asked = next((one for one in view.asked if one.number == event.number), None)
            if asked is not None:
                yield {**shared, "line": line, **_decided(face, view, asked, event), **_came_of(ended, event.seat)}
        views = [game.fold((game.redact(event, Mask(1 << seat)),), view) for seat, view in enumerate(views)]


def _decided(face: Face[Any], view: Any, asked: Asked, event: Chosen) -> Row:
    form = face.game.revive_decision(asked).form(view)
    listed = [plain(choice) for choice in islice(form, WIDTH + 1)]
    few = len(listed) <= WIDTH
    chosen = plain(event.choice)
    return {
        "seat": event.seat,
        "by": event.by,
        "kind": asked.kind,
        "terms": _json(asked.terms),
        "view": _json({name: known for name, known in plain(view).items() if name not in LEFT_OUT}),
        "form": type(form).__name__,
        "count": len(listed) if few else -1,
        "options": _json(listed) if few else None,
        "choice": _json(chosen),
        "number": listed.index(chosen) if few and chosen in listed else -1,
    }


def _came_of(result: Result, seat: int) -> Row:
    drawn = not result.won
    return {"outcome": 0.0 if drawn else 1.0 if seat in result.won else -1.0, "reason": result.reason}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def write(path: Path, sources: Iterable[tuple[str, Replay[Any]]]) -> DatasetTally:
    """Write the decisions of matches into a file, and a card beside it that describes the content.

    Existing files are replaced when everything is written, and stay if there is nothing to write. Raises `OSError`.
    """
    tally, part = DatasetTally(), path.with_name(f"{path.name}.part")
    try:
        with pq.ParquetWriter(part, SCHEMA, compression="zstd") as out:
            rows = _counted(sources, tally)
            while portion := list(islice(rows, PORTION)):
                out.write_table(pa.Table.from_pylist(portion, SCHEMA))
        if tally.rows:
            part.replace(path)
            path.with_suffix(CARD).write_text(card(path.name, tally), encoding="utf-8")
    finally:
        part.unlink(missing_ok=True)
    return tally


def _counted(sources: Iterable[tuple[str, Replay[Any]]], tally: DatasetTally) -> Iterator[Row]:
    for match, replay in sources:
        before = tally.rows
        for row in rows_of(match, replay):
            tally.rows += 1
            tally.games[row["game"]] += 1
            tally.kinds[f"{row['game']}, {row['kind']}"] += 1
            tally.by[row["by"]] += 1
            yield row
        tally.matches += tally.rows > before
        tally.skipped += tally.rows == before


def card(name: str, tally: DatasetTally) -> str:
    """A description of a file, for its readers."""
    told = [
        f"# {name}",
        f"{tally.rows} decisions out of {tally.matches} matches, one a row, in the order of the records;"
        f" {tally.skipped} matches were left out, for they are not over, void, or not open.",
        "Each row holds what its seat knew when it chose, folded of what that seat alone was sent, and never more."
        " Names of players are not among it.",
        _table("Column", "Holds", {column: holds for column, (_, holds) in COLUMNS.items()}),
        _table("Game", "Decisions", tally.games),
        _table("Chosen by", "Decisions", tally.by),
        _table("Question", "Decisions", dict(tally.kinds.most_common())),
        "Mind: choices of one match hang together, so split by `match`; who chose plays as well as it does, and bots"
        " repeat themselves; `outcome` is of the match, not of the choice.",
    ]
    return "\n\n".join(told) + "\n"


def _table(of: str, holds: str, rows: Any) -> str:
    return "\n".join([f"| {of} | {holds} |", "|---|---|", *(f"| {key} | {value} |" for key, value in rows.items())])
