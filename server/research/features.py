"""A seat's knowledge and options as arrays: each fact hashed to a column (Weinberger and others 2009).

A fact is a path through the data and the value there. Therefore one encoding serves every game, present and future,
without knowing any; the price is that two facts sometimes share a column, each with its own sign.
"""

from functools import lru_cache
from math import log1p
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from domain.kernel.position import OF_THE_RECORD
from domain.kernel.state import plain
from server.research.composing import WIDTH
from server.research.position import Position

SEEN: Final = 1024
"""The number of columns for a seat's knowledge."""
OFFERED: Final = 256
"""The number of columns for an option."""
BOUND: Final = 16.0
"""The largest distance of a value from 0."""
MOST_KEPT: Final = 4096
LEFT_OUT: Final = OF_THE_RECORD | {"asked", "number", "stack", "roll", "sealed"}
"""Fields of a view that concern the record, not the table, or that `about` encodes otherwise."""
OF_A_ROLL: Final = frozenset({"draw", "key"})
"""Fields of a roll that state the source of its dice, not their faces."""
Array = NDArray[np.float32]


@lru_cache(maxsize=1 << 17)
def column(fact: str, width: int) -> tuple[int, float]:
    """The column of a fact, and the sign with which it counts there."""
    code = crc32(fact.encode())
    return (code >> 1) % width, 1.0 if code & 1 else -1.0


def hashed(data: Any, width: int, path: str = "") -> Array:
    """Plain data as one row: numbers by their size, all other values by their presence."""
    row = [0.0] * width
    _add(row, data, path)
    return np.clip(np.array(row, np.float32), -BOUND, BOUND)


def _add(row: list[float], data: Any, path: str) -> None:
    if isinstance(data, dict):
        for key, value in data.items():
            _add(row, value, f"{path}.{key}")
    elif isinstance(data, list):
        for number, value in enumerate(data):
            _add(row, value, f"{path}.{number}")
    elif isinstance(data, bool) or not isinstance(data, int | float):
        at, sign = column(f"{path}={data}", len(row))
        row[at] += sign
    elif data:
        at, sign = column(path, len(row))
        row[at] += sign * (log1p(data) if data > 0 else -log1p(-data))


_KEPT: dict[tuple[str, int], tuple[Any, Array]] = {}
"""The rows of parts of views, each with its part, which is kept alive, so that no other object gets its identity."""


def _part(name: str, value: Any) -> Array:
    """A field of a view as a row. Most fields are the same objects as at the last question."""
    kept = _KEPT.get((name, id(value)))
    if kept is not None and kept[0] is value:
        return kept[1]
    row = hashed(plain(value), SEEN, f".{name}")
    if len(_KEPT) >= MOST_KEPT:
        _KEPT.clear()
    _KEPT[name, id(value)] = value, row
    return row


def about(position: Position) -> dict[str, Any]:
    """The public context of an open question: the dice on the table, and the procedures under way, the innermost last,
    with their parameters: for example the price, the attacker and its target, the declaration.
    """
    roll = position.world.roll
    dice = {} if roll is None else {name: value for name, value in plain(roll).items() if name not in OF_A_ROLL}
    return {"roll": dice, "procedures": [plain(frame) for frame in position.world.stack]}


def seen(position: Position, seat: int) -> dict[str, Any]:
    """A seat's knowledge as structured data: its view, its question if it is asked, and the answers it has `said`."""
    view = {name: value for name, value in plain(position.seats[seat]).items() if name not in LEFT_OUT}
    if position.step is None or position.mover != seat:
        return {"seat": seat, "view": view}
    asked, options = position.asked, [option.data for option in position.step.options]
    said = list(position.said)
    question = {"kind": asked.kind, "terms": asked.terms, **about(position)}
    return {"seat": seat, "view": view, **question, "said": said, "options": options}


def observed(position: Position, seat: int) -> Array:
    """A seat's knowledge, as one row of `SEEN` columns."""
    view = position.seats[seat]
    row = sum((_part(name, getattr(view, name)) for name in view.__struct_fields__ if name not in LEFT_OUT), _none())
    row += hashed({"seat": seat}, SEEN)
    if position.step is not None and position.mover == seat:
        asked = position.asked
        row += hashed({"kind": asked.kind, "terms": asked.terms, "said": list(position.said), **about(position)}, SEEN)
    return np.clip(row, -BOUND, BOUND, out=row)


def _none() -> Array:
    return np.zeros(SEEN, np.float32)


def offered(position: Position, seat: int) -> Array:
    """A seat's options: a row of `OFFERED` columns for each of `WIDTH` numbers, 0 if there is none."""
    rows = np.zeros((WIDTH, OFFERED), np.float32)
    if position.step is not None and position.mover == seat:
        kind = position.asked.kind
        for number, option in enumerate(position.step.options):
            rows[number] = hashed(option.data, OFFERED, kind)
    return rows


def allowed(position: Position, seat: int) -> NDArray[np.int8]:
    """The numbers that may be chosen, as 1 and 0; none if another seat is asked."""
    mask = np.zeros(WIDTH, np.int8)
    if position.step is not None and position.mover == seat:
        mask[: len(position.step.options)] = 1
    return mask
