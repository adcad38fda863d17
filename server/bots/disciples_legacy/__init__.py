"""Bots for Disciples: Legacy."""

from functools import partial
from typing import Final

from server.bots.disciples_legacy.steady import SteadyBot

BOTS: Final = {"steady": SteadyBot}
SKETCH: Final = partial(SteadyBot, sketches=True)
"""Plays on in thought: nearly as well, in a part of the time."""
JUDGE_SLIPS: Final = 20
"""One in so many choices is left to chance where a match is judged. Over ten recorded matches, 16 played out from each
of 30 moments, the mean of -ln of the chance of the winner fell from 0.519 to 0.503, its leaps from 26 to 10."""
HORIZON: Final = 96
"""Choices that are played on in thought before a position is judged: with fewer a Battle's end is not seen."""
