"""Games as science uses them: environments to learn in, and decisions as tables. It needs `herald[research]`.

Read its modules in this order:

    composing  choices put together from small ones, so that numbers answer any form
    position   the position of a match, as data that is never changed
    features   a seat's knowledge and options, as arrays
    zoo        every game as a PettingZoo environment
    spiel      every game as an OpenSpiel game
    decisions  the knowledge, options and choices in records, as Parquet
"""
