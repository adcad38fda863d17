"""One match during play: its decisions, its audiences, its seats, and its time."""
