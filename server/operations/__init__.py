"""What an operator sets, reads and checks: settings, log, metrics, checks."""
