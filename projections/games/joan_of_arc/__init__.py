"""The presentation of Joan of Arc: its Scenes, prompts and words. `FACE` is its face.

texts           what cards do, in words
words           names of units, areas and cards; questions
goals           the ways to win a scenario
tellings        sentences about the course of a match: set-up, council, orders, cards, camp
field_tellings  sentences about the board: declarations, movement, fire, losses, attacks
narration       one sentence per event
options         every choice in words
board           the table as plain text
refs            the names of things on the table in prompts
terms           words of the glossary for what lies on the table
ground          the hex map: outlines of areas, edges, interiors, sky
dice_shown      dice in the tray, above a question, in an option's row
acting          the options of actions, by action and place
prompts         the refs that a prompt lights up, the reason for it, the results of options
pieces          units, orders, tokens on the board, cards
layouts         the places of the zones
scene           the Scene
cues            the animations
reasons         the reasons for a bot's moves
face            all parts as one face
"""

from projections.games.joan_of_arc.face import FACE

__all__ = ["FACE"]
