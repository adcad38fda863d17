"""Opponents: people who look for one are paired by rating and waiting time, or invited by their handles."""
