"""What is said between server and client: every message, and a client that says it."""
