"""Creates a match from a client's written position (docs/scenarios.md)."""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Game
from replay.record.creation import Beginning
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import parse
from replay.scenarios.opening import case_of, opening
from server.lobby.errors import CannotCreate
from server.wire.protocol import Create
from server.wire.text import visible

TITLE_LIMIT: Final = 80


class GivenPosition(Struct, frozen=True):
    """A match's beginning, its options, and its title unless the client gives another."""

    beginning: Beginning[Any]
    options: dict[str, Any]
    title: str


def opened_by(game: Game[Any], wish: Create) -> GivenPosition:
    """The position in the scenario that a request contains.

    Raises `CannotCreate`, with the necessary change, if it is wrong.
    """
    try:
        scenario = case_of(parse(wish.scenario), wish.case)
        title = visible(scenario.title)[:TITLE_LIMIT]
        options = {**scenario.options, **wish.options}
        found = opening(game, replace(scenario, title=title, options=options))
    except ScenarioInvalid as wrong:
        raise CannotCreate(f"No match can begin with this scenario: {str(wrong).removeprefix('scenario: ')}") from wrong
    return GivenPosition(found.beginning, found.options, title)
