"""Printed material: Units, Generals and decks, and the card set that comes with the game.

Its modules in the order in which to read them; each uses only those before it:

    cards    cards and card sets
    shipped  the card set that comes with the game
"""
