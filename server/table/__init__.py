"""One match while it is played: who decides, who is told, who sits where, what time does."""
