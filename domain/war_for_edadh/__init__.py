"""War for Edaðh: two Units in three columns, Mastery Cards laid in secret. Ledger: docs/rules/war_for_edadh.md.

Its rooms in the order in which to read them; each uses only those before it:

    errors     what can be wrong with what the game is given
    cards      what is printed on cards
    state      the state, its events, and the fold
    rules      the rules, a module or package for each section of the ledger
    checks     what is wrong with a state or a file
    positions  positions as text, and what follows from one
    game       the game, all of it put together
"""

from domain.war_for_edadh.game import GAME

__all__ = ["GAME"]
