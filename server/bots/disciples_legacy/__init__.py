"""Bots for Disciples: Legacy."""

from functools import partial
from typing import Final

from server.bots.disciples_legacy.steady import SteadyBot

BOTS: Final = {"steady": SteadyBot}
SKETCH: Final = partial(SteadyBot, sketches=True)
"""Plays on in thought: nearly as well, in a part of the time."""
HORIZON: Final = 96
"""Choices that are played on in thought before a position is judged: with fewer a Battle's end is not seen."""
