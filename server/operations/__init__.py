"""Operation of a server: settings, log, metrics, checks."""
