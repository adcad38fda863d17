"""Records as files: written, read, and what a viewer may be given of one."""
