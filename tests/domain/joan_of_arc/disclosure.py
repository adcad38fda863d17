"""What the game tells in public of something hidden, and by which rule (section AB)."""

from server.conformance.disclosure import Disclosure

DISCLOSURE = Disclosure(
    {
        "BoardLaid": {"sky": "JA-351"},
        "LegendPlayed": {"card": "JA-189", "cost": "JA-189"},
        "IntrigueTriggered": {"slot": "JA-399"},
        "DiscussionCardDrawn": {"card": "JA-396"},
        "EquipmentGained": {"card": "JA-395"},
        "RoundCardFlipped": {"card": "JA-040"},
        "OrdersGained": {"count": "JA-041"},
        "CouncilCardDrawn": {"card": "JA-042", "kept": "JA-043"},
    },
    {"CouncilCardDrawn/DecisionsOpened": "JA-043", "CouncilCardDrawn/PileShuffled": "JA-Q07"},
)
