"""Bots for Time of Legends: Joan of Arc."""

from functools import partial
from typing import Final

from server.bots.joan_of_arc.steady import SteadyBot

BOTS: Final = {"steady": SteadyBot}
SKETCH: Final = partial(SteadyBot, sketches=True)
"""Plays on in thought: nearly as well, in a part of the time."""
HORIZON: Final = 60
"""Choices that are played on in thought before a position is judged: with fewer an order's end is not seen."""
