"""Ratings of players, folded from finished matches by pinned rules, and the file from which anybody recomputes them."""
