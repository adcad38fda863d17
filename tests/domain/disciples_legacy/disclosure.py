"""What Disciples: Legacy tells in public of something hidden (ledger section AG)."""

from server.conformance.disclosure import Disclosure

DISCLOSURE = Disclosure(
    fields={
        "ArmyDeployed": dict.fromkeys(("race", "capital", "members", "parties"), "DL-229"),
        "PlayerToAct": {"able": "DL-Q59"},
        "ReservesShown": {"deck": "DL-Q59", "cards": "DL-Q59"},
    },
)
