"""Positions as text: what happens from there, with every die scripted."""
