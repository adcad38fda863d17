"""Time of Legends: Joan of Arc: hexes of areas, orders and interrupts, two sides. Ledger: docs/rules/joan_of_arc.md.

What is here is the game's foundation; the package exports no `GAME` yet, so that nothing offers it for play.
"""
