"""Faults of the cards, armies and files that this game is given.

GivenInvalid (domain.commons)
+- CardsInvalid       the card author's fault: every defect of the files, with file, card, field and the allowed values
"""

from domain.commons.errors import GivenInvalid


class CardsInvalid(GivenInvalid):
    """Cards that the game cannot be played with."""
