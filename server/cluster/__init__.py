"""Several processes and several servers over one store: their notifications, and the takeover of matches."""
