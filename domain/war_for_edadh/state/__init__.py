"""The state of a match, its events, and the fold of the events over the state.

Its modules in the order in which to read them; each uses only those before it:

    options  the options that the players agree on
    state    the table and the hands
    queries  questions that several rules ask
    stats    the figures of a Chosen Troop, each with its parts
    events   the events of a match
    evolve   the effect of every event on the state
"""
