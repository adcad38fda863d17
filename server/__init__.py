"""Live play: the wire protocol, live matches, sessions, bots, the command line and the web client."""
