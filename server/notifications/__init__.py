"""Reminders for people who are not looking: which are due, who has them in hand, and where they go."""
