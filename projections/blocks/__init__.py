"""Blocks: what the faces of games are built of. The words of a Scene are in docs/scene.md; a block is one of them.

frame      the whole of a Scene, the players' plates, counters and marks
zones      where pieces lie: grids of slots, rows, piles, the tray of dice
pieces     cards face up, face down or seen by one side, and what hangs on them
cues       what to animate, beside what the change of a Scene shows by itself
narration  one sentence per event, by tables
"""
