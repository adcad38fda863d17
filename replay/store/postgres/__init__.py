"""Records in a database that speaks the PostgreSQL protocol, for several machines."""
