"""Persons: signing in by a device's key, handles, sessions, recovery codes, and a person's own matches."""
