"""The state of a match, its events, and the fold of the events over the state.

Its modules in the order in which to read them; each uses only those before it:

    options        the options that the players agree on
    setting        the seats, sides, board and cards of a scenario and its sky
    attack_state   the state of an attack
    state          the possessions of the players, and the table
    queries        questions that several rules ask
    events         the events of a match
    attack_events  the events of an attack
    evolve_state   parts of a state, changed
    evolve_units   the effect of events on units and on the board
    evolve_attack  the effect of events on an attack
    evolve         the effect of every event on the state
"""
