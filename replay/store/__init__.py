"""Where records lie: small protocols, and what keeps them in memory, in SQLite and on the PostgreSQL protocol."""
