"""Checks of a state, a card, a map, a scenario, or a file of them.

Its modules in the order in which to read them; each uses only those before it:

    invariants       invariants of every state
    refusals         the row that forbids a refused choice
    unit_checks      unit cards
    effect_checks    effects
    card_checks      a card set
    map_checks       a map
    scenario_checks  a scenario
    file_checks      a file of any of these
"""
