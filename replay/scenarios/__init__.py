"""Scenarios: positions as text, and play from them with every die scripted."""
