"""What War for Edaðh tells in public of something hidden (ledger section V)."""

from server.conformance.disclosure import Disclosure

UNIT = ("faction", "units", "troops", "columns", "support", "combat_master", "battle_master", "standards", "shown")

DISCLOSURE = Disclosure(
    fields={
        "DeckChosen": {"size": "WE-Q43"},
        "TerrainLaid": {"code": "WE-251"},
        "TerrainCut": {"code": "WE-253"},
        "UnitDeployed": dict.fromkeys(UNIT, "WE-254"),
        "StratagemsPicked": {
            "in_play": "WE-149",
            "face_up": "WE-149",
            "face_down": "WE-148",
            "deck_size": "WE-Q43",
        },
        "StratagemsEntered": {"codes": "WE-108", "in_play": "WE-108"},
        "CardLaid": {"laid": "WE-062"},
        "TieCardLaid": {"cv": "WE-077"},
        "ResShown": {"standard": "WE-127", "res": "WE-127"},
    },
)
