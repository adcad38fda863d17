"""The operation of a server: settings, log, metrics and checks."""
