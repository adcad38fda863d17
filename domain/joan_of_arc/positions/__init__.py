"""Positions: written as text, read, worked out for players, redrawn for a viewer who sees a part.

Its modules in the order in which to read them; each uses only those before it:

    boards     boards of positions
    notation   units, player boards and decks as text
    starts     where a position starts
    figures    figures that the rules work out of a position
    positions  positions as text
    writing    a state as the position that is read back as it
    resample   another world that a viewer cannot tell from this one
"""
