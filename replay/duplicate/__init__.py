"""One deal at many tables: what was to be played, what came of it, and whether all of it holds."""
