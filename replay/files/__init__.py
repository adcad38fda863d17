"""Records as files: writing them, reading them, and selecting the parts that a viewer may have."""
