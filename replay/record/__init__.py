"""The records of matches: lines, seals, chain, keys, dice, and the referee that joins a game to them."""
