"""What Vera Discordia tells in public of something hidden (ledger section AH)."""

from server.conformance.disclosure import Disclosure

DISCLOSURE = Disclosure(
    fields={
        "GeneralChosen": {"general": "VD-094", "faction": "VD-094"},
        "ArmyCounted": {"vision": "VD-107", "stealth": "VD-107", "closed": "VD-114"},
        "ArmyShown": {"open": "VD-114"},
        "TerrainRevealed": {"terrain": "VD-120"},
        "UnitOpened": {"card": "VD-045", "life": "VD-045"},
        "AbilityShown": {"unit": "VD-054", "ability": "VD-054"},
        "OrderTurnedUp": {"order": "VD-076"},
        "OrderExamined": {"order": "VD-074"},
        "OrderDiscarded": {"order": "VD-072"},
        "LeftoverDiscarded": {"order": "VD-316"},
    },
    instead={
        "LeftoverDiscarded/PhaseBegan": "VD-316: an answer given in secret, shown when both are in",
        "DiceRolled/GeneralChosen": "VD-096: the lot between two that chose alike in secret",
        "AbilityShown/DiceRolled": "VD-054: a Closed Unit must name its ability",
        "AbilityShown/UnitsRolled": "VD-054: the same, of the last Unit",
        "AbilityShown/MoraleChecked": "VD-054: the same, where a check needs no die",
    },
    chosen={
        "Shuffled.title": "VD-369: the rank exchanged is public",
        "Shuffled.size": "VD-369: as many Units as there are of the rank",
        "TerrainExamined.column": "VD-116",
        "UnitDeployed.general": "VD-388",
        "TacticDeclared.type": "VD-389",
        "OrderTakenBack.unit": "VD-382",
        "OrderReclaimed.unit": "VD-334",
        "AbilityShown/OrderReclaimed": "VD-054: one Closed Unit must name its ability, another has done so",
        "CardExchanged.unit": "VD-332",
        "AbilityShown/CardExchanged": "VD-054: the same",
    },
)
