"""The store in a database that speaks the PostgreSQL protocol, for several machines."""
