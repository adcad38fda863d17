"""The card set that comes with the game. Card data: CC BY 4.0."""

from importlib.resources import files
from typing import Final

from domain.vera_discordia.cards.cards import CardSet, read_card_set

SHIPPED: Final[CardSet] = read_card_set(files("domain.vera_discordia").joinpath("data/shipped.json").read_bytes())
