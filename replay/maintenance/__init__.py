"""Maintenance of databases: backup, check, import and copy."""
