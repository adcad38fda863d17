"""Bots for Disciples: Legacy."""

from functools import partial
from typing import Final

from server.bots.disciples_legacy.steady import SteadyBot

BOTS: Final = {"steady": SteadyBot}
SKETCH: Final = partial(SteadyBot, sketches=True)
"""A bot for playing out matches in a search: it plays nearly as well as the full bot, in a fraction of the time."""
JUDGE_SLIPS: Final = 20
"""One in this many choices is random when a match is analysed. In a test, 16 matches were played out from each of 30
moments of ten recorded matches. With the random choices, the mean of -ln of the winner's chance fell from 0.519 to
0.503, and the number of leaps in this chance from 26 to 10.
"""
HORIZON: Final = 96
"""The number of choices that a search plays before it judges a position; fewer would not reach a Battle's end."""
