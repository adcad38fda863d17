"""War for Edaðh: two Units in three columns, Mastery Cards laid in secret. Ledger: docs/rules/war_for_edadh.md.

Its rooms in the order in which to read them; each uses only those before it:

    errors     faults of the cards, armies and files that the game is given
    cards      the printed text and values of cards
    state      the state, its events, and the fold
    rules      the rules, a module or package for each section of the ledger
    checks     faults of a state or a file
    positions  positions as text, and the figures of one
    game       the game, all of it put together
"""

from domain.war_for_edadh.game import GAME

__all__ = ["GAME"]
