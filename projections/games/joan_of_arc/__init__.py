"""How Joan of Arc looks: its Scenes, prompts and words. `FACE` is its face.

texts           what cards do, in words
words           names of units, areas and cards; questions
goals           what a scenario is won by
tellings        sentences about the course of a match: set-up, council, orders, cards, camp
field_tellings  sentences about the board: declarations, movement, fire, losses, attacks
narration       one sentence per event
options         every choice in words
board           the table as plain text
refs            how prompts name what lies on the table
terms           words of the glossary for what lies on the table
ground          the hex map: outlines of areas, edges, interiors, sky
dice_shown      dice in the tray, above a question, in an option's row
acting          the options of actions, by action and place
prompts         what a prompt lights up, why it is asked, what options lead to
pieces          units, orders, tokens on the board, cards
layouts         where the zones lie
scene           the Scene
cues            what is animated
reasons         why a bot did what everybody saw
face            all of it as one face
"""

from projections.games.joan_of_arc.face import FACE

__all__ = ["FACE"]
