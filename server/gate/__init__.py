"""The entrance to the server: sockets, sessions, and the program that listens."""
