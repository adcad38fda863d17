"""Choices of players besides their orders (sections N and P): legend cards, intrigue, equipment used once, rerolls."""
