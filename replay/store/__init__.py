"""Stores of records: small protocols, with implementations in memory, in SQLite and on the PostgreSQL protocol."""
