"""Reminders for people who are away: which ones are due, which server sends them, and to which addresses."""
