"""A node for spectators: it takes the public lines of matches from other servers, checks them, and passes them on."""
