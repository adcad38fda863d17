"""The way in: sockets, sessions, and the program that listens."""
