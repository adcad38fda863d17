"""Faults of the cards, decks and files that this game is given.

GivenInvalid (domain.commons)
+- CardsInvalid       the card author's fault: every defect of the files, with file, card, field and the allowed values
+- DeckInvalid        the deck's author's fault: every defect of the deck, with the rule that it breaks
"""

from domain.commons.errors import GivenInvalid


class CardsInvalid(GivenInvalid):
    """Cards that the game cannot be played with."""


class DeckInvalid(GivenInvalid):
    """A deck that the rules of deck construction do not allow."""
