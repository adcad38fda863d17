"""Positions: written and read as text, evaluated for players, redrawn for a viewer who sees only a part.

Its modules in the order in which to read them; each uses only those before it:

    figures    figures that the rules work out of a position
    positions  positions as text
    resample   another world that looks the same to a viewer
"""
