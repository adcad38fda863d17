"""Checks of a state, a card, a deck, or a file of them.

Its modules in the order in which to read them; each uses only those before it:

    invariants   invariants of every state
    refusals     the row that forbids a refused choice
    hook_checks  card texts
    card_checks  card files and decks
"""
