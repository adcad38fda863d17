"""A node for spectators: takes the public lines of matches from other servers, checks them, hands them on."""
