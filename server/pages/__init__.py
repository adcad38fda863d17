"""Web pages: the files that a browser loads, and a replay in one file."""
