"""How Joan of Arc looks, over the draft of the game. No face is exported before the game is.

texts           what cards do, in words
words           names of units, areas and cards; questions
tellings        sentences about the course of a match: set-up, council, orders, cards, camp
field_tellings  sentences about the board: declarations, movement, fire, losses, attacks
narration       one sentence per event
options         every choice in words
board           the table as plain text
refs            how prompts name what lies on the table
prompts         what a prompt lights up, why it is asked, what options lead to
ground          the hex map: outlines of areas, interiors, sky
pieces          units, orders, tokens on the board, cards
scene           the Scene
face            all of it as one face, not exported
"""
