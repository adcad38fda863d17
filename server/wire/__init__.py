"""The protocol between server and client: every message, and a client that speaks it."""
