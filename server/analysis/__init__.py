"""Bots against bots: how positions and setups fare."""
