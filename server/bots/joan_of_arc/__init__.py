"""Bots for Time of Legends: Joan of Arc."""

from functools import partial
from typing import Final

from server.bots.joan_of_arc.steady import SteadyBot

BOTS: Final = {"steady": SteadyBot}
SKETCH: Final = partial(SteadyBot, sketches=True)
"""A bot for playing out matches in a search: it plays nearly as well as the full bot, in a fraction of the time."""
HORIZON: Final = 60
"""The number of choices that a search plays before it judges a position; fewer would not reach an order's end."""
