"""Disciples: Legacy: three Parties a player, an economy of Cities and Mana. Ledger: docs/rules/disciples_legacy.md.

Its rooms in the order in which to read them; each uses only those before it:

    errors     what can be wrong with what the game is given
    cards      what is printed on cards
    state      the state, its events, and the fold
    rules      the rules, a module or package for each section of the ledger
    checks     what is wrong with a state or a file
    positions  positions as text, and what follows from one
    game       the game, all of it put together
"""

from domain.disciples_legacy.checks.card_checks import check_army
from domain.disciples_legacy.game import GAME

__all__ = ["GAME", "check_army"]
