"""All matches of a server: finding, creating, entering, leaving and restarting them."""
