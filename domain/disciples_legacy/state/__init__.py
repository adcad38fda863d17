"""The state of a match, its events, and the fold of the events over the state.

Its modules in the order in which to read them; each uses only those before it:

    options         what the players agree on
    state           what lies on the table and in hands
    queries         questions that several rules ask
    formation       six slots, and Giants in columns
    stats           Max HP, Attack and style as they are now
    events          what happens
    evolve_state    parts of a state, changed
    evolve_members  what events of members and Parties do to the state
    evolve_battle   what events of a Battle do to the state
    evolve          what every event does to the state
"""
