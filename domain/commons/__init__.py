"""The commons: code that games share and no rulebook owns. Between the kernel and the games; see docs/adding-a-game.md.

Its modules in the order in which to read them; each uses only those before it:

    errors    faults of a file, each with its place
    rows      a row of seats with one place replaced
    once      values derived once from another, such as a card set's index
    cards     cards in hands, piles and decks, which may be hidden
    sealed    sealed answers: as others see them, and drawn again
    doors     the classes that a game's package exports
    sheet     card files whose fields are checked one by one
    files     card and army files that become structs
    notation  the words of positions: keys, names, lists of cards
    starts    where a position starts, and the procedures around it
    forbidding  which row forbids a choice that was refused
"""
