"""Printed material: card texts, cards, and the decks built from them.

Its modules in the order in which to read them; each uses only those before it:

    hooks   the closed vocabulary of card texts
    cards   cards and card sets, as the data files hold them
    armies  every rule that a deck must keep
"""
