"""The bot that looks ahead: see `bot`."""
