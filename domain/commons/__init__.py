"""The commons, between the kernel and the games: code that games share and no rulebook owns (docs/adding-a-game.md).

The modules, in reading order; each uses only the modules before it:

    errors           faults of a file, each with its place
    rows             a row of seats with one place replaced
    identity_cache   values derived once from another, such as a card set's index
    cards            cards in hands, piles and decks, which may be hidden
    sealed           sealed answers: as others see them, and drawn again
    class_discovery  the classes that a game's package exports
    field_reader     card files whose fields are checked one by one
    files            card and army files that become structs
    notation         the words of positions: keys, names, lists of cards
    starts           the procedure at which a position starts, and the procedures around it
    forbidding       the row of the rules that forbids a refused choice
"""
