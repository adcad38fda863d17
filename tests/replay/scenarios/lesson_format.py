"""Shared by `test_lesson_format` and other tests: ANSWERED."""

LESSON = """
title = "The higher card"
game = "skirmish"
language = "en"
about = "Play a card, and press."
seat = 0
at = "SK-02"

[position]
hands = [[6, 1], [2, 2]]
deck = [5, 3]

[[step]]
say = "Both play a card at the same time."

[[step]]
say = "Play your 6."
expect = ["Play 6", "Play 1"]
decision = "CardSelection"
otherwise = "Any of yours."
done = "Now the other."

[[step.unless]]
choice = "Play 2"
say = "You do not hold it."
refused = "SK-02"
rules = ["SK-02"]

[[step.reply]]
seat = 1
choice = "Play 2"
dice = ["SK-03: 3 4"]
"""


ANSWERED = LESSON.replace('expect = ["Play 6", "Play 1"]', 'expect = ["Play 6"]')
