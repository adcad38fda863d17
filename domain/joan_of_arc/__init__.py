"""Time of Legends: Joan of Arc: hexes of areas, orders and interrupts, two sides. Ledger: docs/rules/joan_of_arc.md.

Its rooms in the order in which to read them; each uses only those before it:

    errors     what can be wrong with what the game is given
    cards      what is printed on cards
    board      what lies and stands on the table
    state      the state, its events, and the fold
    rules      the rules, a module or package for each section of the ledger
    checks     what is wrong with a state or a file
    positions  positions as text, and what follows from one
    game       the game, all of it put together
"""

from domain.joan_of_arc.checks.file_checks import check_text
from domain.joan_of_arc.checks.map_checks import check_map
from domain.joan_of_arc.game import GAME

__all__ = ["GAME", "check_map", "check_text"]
