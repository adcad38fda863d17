"""All matches of a server: finding, creating, entering and leaving them."""
