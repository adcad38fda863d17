"""Everything that can be wrong with what this game is given.

GivenInvalid (domain.commons)
+- CardsInvalid       the card author's fault: every defect of the files, with file, card, field and what is allowed
"""

from domain.commons.errors import GivenInvalid


class CardsInvalid(GivenInvalid):
    """Cards that the game cannot be played with."""
