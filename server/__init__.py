"""Live play: the wire protocol, match hosts, sessions, bots, the command line and the web client."""
