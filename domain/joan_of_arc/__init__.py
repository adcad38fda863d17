"""Time of Legends: Joan of Arc: hexes of areas, orders and interrupts, two sides. Ledger: docs/rules/joan_of_arc.md.

Its modules in the order in which to read them; each uses only those before it:

    errors           what can be wrong with cards, maps and scenarios
    packaged         the data files
    dice             kinds, faces, and how many of which
    hooks            what cards do: the effect operations
    units            unit cards
    cards            the other cards, and a set of all
    terrain          terrain, elements, buildings
    maps             boards without pieces, and the sky tiles
    scenarios        forces, resources, decks and victory on a map
    sharing          a scenario for two, played by three or four
    options          what the players agree on
    hexes            coordinates, edges, the names of areas
    board            areas and what touches what
    setting          what a scenario and its sky come to: seats, sides, board, cards
    table            what stands on the board: room, whose an area is, where units may go
    losses           what the board loses to fire and to enemies who enter
    sight            ranges, lines of sight, reach
    rolls            what is rolled in an attack, and in which order
    results          shields, allocation, and what a result comes to for a unit
    attack_state     where an attack stands
    state            what lies on the table
    queries          questions that several rules ask
    events           what happens
    attack_events    what happens in an attack
    evolve_state     parts of a state, changed
    evolve_units     what events of units and of the board do to the state
    evolve_attack    what events of attacks do to the state
    evolve           what every event does to the state
    rules            the rules, a module or package for each section
    invariants       what must hold of every state
    refusals         which row forbids a choice that was refused
    resample         another world that a viewer cannot tell from this one
    map_text         a map drawn in plain text
    unit_checks      what is wrong with unit cards
    effect_checks    what is wrong with effects
    card_checks      what is wrong with a card set
    map_checks       what is wrong with a map
    scenario_checks  what is wrong with a scenario
    position_maps    boards of positions
    position_text    units, player boards and decks of positions as text
    position_start   where a position starts
    figures          what the rules work out of a position and players see
    positions        positions as text
    position_writing a state as the position that is read back as it
    game             the game, all of it put together
    file_checks      what is wrong with a file of any of these
"""

from domain.joan_of_arc.file_checks import check_text
from domain.joan_of_arc.game import GAME
from domain.joan_of_arc.map_checks import check_map

__all__ = ["GAME", "check_map", "check_text"]
