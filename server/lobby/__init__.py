"""All matches of a server: find, create, enter, leave, restart."""
