"""A director's directions to spectators, and commentaries that play along with a replay."""
