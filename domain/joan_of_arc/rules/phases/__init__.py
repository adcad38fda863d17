"""The match, its rounds and their phases (sections A and C to H, S): set-up, council, turns of orders, camp."""
