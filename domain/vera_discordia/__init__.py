"""Vera Discordia: two armies of eight Units, secret orders, open dice. Ledger: docs/rules/vera_discordia.md.

Its rooms in the order in which to read them; each uses only those before it:

    errors     faults of the card sets and files that the game is given
    cards      the printed text and values of cards
    state      the state, its events, and the fold
    rules      the rules, a module or package for each section of the ledger
    checks     faults of a state or a file
    positions  positions as text, and the figures of one
    game       the game, all of it put together
"""

from domain.vera_discordia.checks.card_checks import check_text
from domain.vera_discordia.game import GAME

__all__ = ["GAME", "check_text"]
