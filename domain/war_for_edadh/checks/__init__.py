"""Checks of a state, a card, an army, or a file of them.

Its modules in the order in which to read them; each uses only those before it:

    invariants   invariants of every state
    refusals     the row that forbids a refused choice
    card_checks  card files and armies
"""
