"""One match while it is played: its decisions, its audiences, its seats, and its time."""
