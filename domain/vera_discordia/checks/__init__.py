"""Checks of a state, a card, or a file of cards.

Its modules in the order in which to read them; each uses only those before it:

    invariants   invariants of every state
    refusals     the row that forbids a refused choice
    hook_checks  hooks of Generals
    card_checks  a card-set file
"""
