"""Queries over many records: statistics, and tables that ordinary tools can query."""
