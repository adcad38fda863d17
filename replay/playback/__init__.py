"""Playback of a record: seeking a moment, following a live match, telling it in words, and branching off."""
