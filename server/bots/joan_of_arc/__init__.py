"""Bots for Time of Legends: Joan of Arc."""

from typing import Final

from server.bots.joan_of_arc.steady import SteadyBot

BOTS: Final = {"steady": SteadyBot}
