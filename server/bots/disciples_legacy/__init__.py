"""Bots for Disciples: Legacy."""

from typing import Final

from server.bots.disciples_legacy.steady import SteadyBot

BOTS: Final = {"steady": SteadyBot}
