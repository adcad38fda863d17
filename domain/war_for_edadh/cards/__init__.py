"""Printed material: cards, and the armies built of them.

Its modules in the order in which to read them; each uses only those before it:

    cards   cards and card sets, as the data files hold them
    armies  every rule that an army must keep
"""
