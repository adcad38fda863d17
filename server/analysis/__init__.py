"""Analysis of a match: chances to win and better choices, found by bots that play on from its positions."""
