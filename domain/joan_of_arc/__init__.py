"""Time of Legends: Joan of Arc: hexes of areas, orders and interrupts, two sides. Ledger: docs/rules/joan_of_arc.md.

Its rooms in the order in which to read them; each uses only those before it:

    errors     faults of the cards, scenarios and files that the game is given
    cards      the printed text and values of cards
    board      the board and everything on it
    state      the state, its events, and the fold
    rules      the rules, a module or package for each section of the ledger
    checks     faults of a state or a file
    positions  positions as text, and the figures of one
    game       the game, all of it put together
"""

from domain.joan_of_arc.checks.file_checks import check_text
from domain.joan_of_arc.checks.map_checks import check_map
from domain.joan_of_arc.game import GAME

__all__ = ["GAME", "check_map", "check_text"]
