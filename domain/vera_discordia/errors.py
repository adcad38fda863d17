"""Faults of the card sets and files that this game is given.

GivenInvalid (domain.commons)
+- CardSetInvalid     the card author's fault: every defect of the file, with file, card, field and the allowed values
"""

from domain.commons.errors import GivenInvalid


class CardSetInvalid(GivenInvalid):
    """A card set that the game cannot be played with."""
