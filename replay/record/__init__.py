"""What a match leaves behind: lines, seals, chain, keys, dice, and the referee that joins a game to them."""
