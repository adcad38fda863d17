"""The faces of all games, the example games' among them."""

from collections.abc import Mapping
from typing import Any, Final

from projections import registry
from projections.face import Face
from projections.plain import plain_face
from tests.pennants import game as pennants
from tests.skirmish import game as skirmish

EXAMPLES: Final = {game.name: plain_face(game) for game in (skirmish.GAME, pennants.GAME)}
FACES: Final[Mapping[str, Face[Any]]] = {**EXAMPLES, **registry.faces()}
