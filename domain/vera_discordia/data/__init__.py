"""The shipped card set. Card data: CC BY 4.0."""

from importlib.resources import files
from typing import Final

from domain.vera_discordia.cards import CardSet, read_card_set

SHIPPED: Final[CardSet] = read_card_set(files(__name__).joinpath("shipped.json").read_bytes())
