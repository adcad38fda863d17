"""What spectators are pointed at by a director, and commentaries that play along with a replay."""
