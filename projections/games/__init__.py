"""One module per game: its words, text board and Scene."""
