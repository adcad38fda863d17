"""Disciples: Legacy: three Parties a player, an economy of Cities and Mana. Ledger: docs/rules/disciples_legacy.md.

Its rooms in the order in which to read them; each uses only those before it:

    errors     faults of the cards, decks and files that the game is given
    cards      the printed text and values of cards
    state      the state, its events, and the fold
    rules      the rules, a module or package for each section of the ledger
    checks     faults of a state or a file
    positions  positions as text, and the figures of one
    game       the game, all of it put together
"""

from domain.disciples_legacy.checks.card_checks import check_army
from domain.disciples_legacy.game import GAME

__all__ = ["GAME", "check_army"]
