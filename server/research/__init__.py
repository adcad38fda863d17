"""Games as science uses them: environments to learn in, and decisions as tables. It needs `herald[research]`.

Its modules in the order in which to read them:

    composing  choices put together out of small ones, so that any form is answered by numbers
    position   where a match stands, as data that is never changed
    features   what a seat knows, and what it may choose, as arrays
    zoo        every game as a PettingZoo environment
    spiel      every game as an OpenSpiel game
    decisions  what was known, offered and chosen in records, as Parquet
"""
