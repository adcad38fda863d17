"""The board and everything on it: maps and scenarios, areas, room, lines of sight.

Its modules in the order in which to read them; each uses only those before it:

    terrain    terrain, elements, buildings
    hexes      coordinates, edges, the names of areas
    maps       boards without pieces, and the sky tiles
    scenarios  forces, resources, decks and victory on a map
    sharing    a scenario for two that three or four players play
    board      areas and their neighbours
    map_text   a map drawn in plain text
    table      everything on the board: room, the owner of an area, where units may go
    sight      ranges, lines of sight, reach
    losses     losses of the board to fire and to entering enemies
"""
