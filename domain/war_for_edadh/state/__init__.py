"""The state of a match, its events, and the fold of the events over the state.

Its modules in the order in which to read them; each uses only those before it:

    options  what the players agree on
    state    what lies on the table and in hands
    queries  questions that several rules ask
    stats    the figures of a Chosen Troop, each with its parts
    events   what happens
    evolve   what every event does to the state
"""
