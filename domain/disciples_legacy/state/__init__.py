"""The state of a match, its events, and the fold of the events over the state.

Its modules in the order in which to read them; each uses only those before it:

    options         the options that the players agree on
    state           the table and the hands
    queries         questions that several rules ask
    formation       six slots, and Giants in columns
    stats           Max HP, Attack and style as they are now
    events          the events of a match
    evolve_state    parts of a state, changed
    evolve_members  the effect of events on members and Parties
    evolve_battle   the effect of events on a Battle
    evolve          the effect of every event on the state
"""
