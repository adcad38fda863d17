"""Blocks: the parts of which the faces of games are built. docs/scene.md has the words of a Scene; a block is one word.

frame      the whole of a Scene, the players' plates, counters and marks
zones      where pieces lie: grids of slots, rows, piles, the tray of dice
pieces     cards face up, face down or seen by one side, and the smaller pieces on them
cues       animations, beside those that the change of a Scene shows by itself
narration  one sentence per event, by tables
"""
