"""Faults of the cards, scenarios and files that this game is given.

GivenInvalid (domain.commons)
+- CardsInvalid       the card author's fault: every defect of units and cards, with file, card, field, allowed values
+- MapInvalid         the map author's fault: every defect of a map, with the hex and the rule
+- ScenarioInvalid    the scenario author's fault: every defect of forces, resources and victory
"""

from domain.commons.errors import GivenInvalid


class CardsInvalid(GivenInvalid):
    """Units or cards that the game cannot be played with."""


class MapInvalid(GivenInvalid):
    """A map that nothing can be played on."""


class ScenarioInvalid(GivenInvalid):
    """A scenario that cannot be set up."""
