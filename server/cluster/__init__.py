"""Several processes and several servers over one store: what they tell each other, and what they take over."""
