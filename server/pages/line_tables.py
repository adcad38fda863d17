"""The table of a game's lines, by which a page checks their shape: `/lines/<game>.json` (docs/record.md 11)."""

import re
from functools import cache
from typing import Any, Final

import msgspec

from domain.kernel import Game
from projections.registry import games
from replay.record import shapes

FOLDER: Final = "/lines/"
ADDRESS: Final = re.compile(r"^/lines/([a-z0-9_]{1,64})\.json$")


def line_table(game: Game[Any]) -> dict[str, Any]:
    """`rules`, `lines` and `structs` of a game, as docs/schema/lines.json has them."""
    return {"rules": int(game.rules), **shapes.of_game(game)}


def line_table_at(path: str) -> bytes | None:
    """The table at an address as JSON; None if the address names no installed game."""
    asked = ADDRESS.match(path)
    return _encoded(asked[1]) if asked is not None and asked[1] in games() else None


@cache
def _encoded(name: str) -> bytes:
    return msgspec.json.encode(line_table(games()[name]))
