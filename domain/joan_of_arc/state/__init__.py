"""The state of a match, its events, and the fold of the events over the state.

Its modules in the order in which to read them; each uses only those before it:

    options        what the players agree on
    setting        what a scenario and its sky come to: seats, sides, board, cards
    attack_state   where an attack stands
    state          what belongs to the players and lies on the table
    queries        questions that several rules ask
    events         what happens
    attack_events  what happens in an attack
    evolve_state   parts of a state, changed
    evolve_units   what events of units and of the board do to the state
    evolve_attack  what events of attacks do to the state
    evolve         what every event does to the state
"""
