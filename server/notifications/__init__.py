"""Reminders for people who are not looking: which ones are due, which server has them in hand, and where they go."""
