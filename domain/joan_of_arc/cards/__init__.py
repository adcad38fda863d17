"""Printed material: dice, effects, units and the other cards, as the data files hold them.

Its modules in the order in which to read them; each uses only those before it:

    packaged  the data files
    dice      kinds, faces, and numbers of dice
    hooks     the effect operations of cards
    units     unit cards
    cards     the other cards, and a set of all
"""
