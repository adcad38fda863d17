"""Positions: written as text, read, worked out for players, drawn anew for somebody who sees a part.

Its modules in the order in which to read them; each uses only those before it:

    notation   Units, orders, lists of cards
    starts     where a position starts
    figures    what the rules work out of a position and players see
    positions  positions as text
    resample   another world that a viewer cannot tell from this one
"""
