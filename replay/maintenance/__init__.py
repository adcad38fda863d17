"""Keeping databases: backup, soundness, and records of others taken in."""
